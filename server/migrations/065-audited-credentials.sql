-- Credentials, confirmed addresses and the stars of a review are in the audit log too.

-- As in 014, but a table that is keyed by its user is named by that.
create or replace function audit_change() returns trigger language plpgsql as $$
declare
  kept text[] := tg_argv[0]::text[];
  noted text[] := coalesce(tg_argv[1], '{}')::text[];
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  is_now jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  entry audit_log;
begin
  select head.number + 1, head.hash into entry.number, entry.previous from audit_head as head for no key update;
  entry.written_at := clock_timestamp();
  entry.actor_id := nullif(current_setting('handwise.actor', true), '')::uuid;
  entry.program := current_setting('application_name');
  entry.database_role := session_user;
  entry.what := tg_table_name || '.' || lower(tg_op);
  entry.subject_id := coalesce(coalesce(is_now, was) ->> 'id', coalesce(is_now, was) ->> 'user_id');
  entry.before := (
    select jsonb_object_agg(key, value) from jsonb_each(was)
    where key = any (kept) and (tg_op <> 'UPDATE' or value is distinct from is_now -> key));
  entry.after := (
    select jsonb_object_agg(key, case when key = any (kept) then value else '"changed"' end) from jsonb_each(is_now)
    where (key = any (kept) and (tg_op <> 'UPDATE' or value is distinct from was -> key))
      or (key = any (noted) and tg_op = 'UPDATE' and value is distinct from was -> key));
  entry.hash := audit_hash(entry);
  insert into audit_log select entry.*;
  update audit_head set number = entry.number, hash = entry.hash;
  return null;
end $$;

drop trigger users_audited on users;
create constraint trigger users_audited after update of role, suspended_at, deleted_at, email, email_confirmed_at, password_hash on users
  deferrable initially deferred
  for each row when (
    (old.role, old.suspended_at, old.deleted_at, old.email, old.email_confirmed_at, old.password_hash)
    is distinct from (new.role, new.suspended_at, new.deleted_at, new.email, new.email_confirmed_at, new.password_hash)
  ) execute function audit_change('{role,suspended_at,deleted_at,email_confirmed_at}', '{email,password_hash}');

drop trigger reviews_audited on reviews;
create constraint trigger reviews_audited after update of removed_because, rating on reviews deferrable initially deferred
  for each row when (
    coalesce(old.removed_because, 'withdrawn') <> coalesce(new.removed_because, 'withdrawn') or old.rating <> new.rating
  ) execute function audit_change('{removed_because,rating}');

create constraint trigger passkeys_audited_new after insert or delete on passkeys deferrable initially deferred
  for each row execute function audit_change('{user_id,rp_id}');
create constraint trigger passkeys_audited after update of user_id, credential_id, public_key, rp_id on passkeys deferrable initially deferred
  for each row when (
    (old.user_id, old.credential_id, old.public_key, old.rp_id) is distinct from (new.user_id, new.credential_id, new.public_key, new.rp_id)
  ) execute function audit_change('{user_id,rp_id}', '{credential_id,public_key}');

-- One that is not confirmed asks for no codes.
create constraint trigger authenticators_audited_new after insert on authenticators deferrable initially deferred
  for each row when (new.confirmed_at is not null) execute function audit_change('{user_id,confirmed_at}');
create constraint trigger authenticators_audited after update of user_id, secret, sealed, confirmed_at on authenticators
  deferrable initially deferred
  for each row when (
    num_nonnulls(old.confirmed_at, new.confirmed_at) > 0
    and (old.user_id, old.secret, old.sealed, old.confirmed_at) is distinct from (new.user_id, new.secret, new.sealed, new.confirmed_at)
  ) execute function audit_change('{user_id,confirmed_at}', '{secret,sealed}');
create constraint trigger authenticators_audited_gone after delete on authenticators deferrable initially deferred
  for each row when (old.confirmed_at is not null) execute function audit_change('{user_id,confirmed_at}');
