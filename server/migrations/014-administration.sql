-- What changed about rights, money and moderation. Written by triggers, so that a change by hand in SQL stands here as well; each entry
-- is chained to the one before it by a hash, so that one that is removed, changed or put between is found.
create table audit_log (
  -- Without gaps, in the order of commits.
  number bigint primary key check (number > 0),
  written_at timestamptz not null,
  -- On whose behalf. Null: the server by itself, or somebody with a database client; `program` says which.
  actor_id uuid,
  program text not null,
  database_role text not null,
  what text not null,
  subject_id uuid not null,
  before jsonb,
  after jsonb,
  previous bytea not null check (length(previous) = 32),
  hash bytea not null unique check (length(hash) = 32)
);
create index audit_log_subject on audit_log (subject_id, number desc);

-- The last entry. Its row is the lock under which entries are numbered.
create table audit_head (
  singleton boolean primary key default true check (singleton),
  number bigint not null,
  hash bytea not null
);
insert into audit_head (number, hash) values (0, decode(repeat('00', 32), 'hex'));

create function audit_hash(entry audit_log) returns bytea language sql stable as $$
  select sha256(entry.previous || convert_to(jsonb_build_array(
    entry.number, (extract(epoch from entry.written_at) * 1000000)::bigint, entry.actor_id, entry.program, entry.database_role,
    entry.what, entry.subject_id, entry.before, entry.after
  )::text, 'UTF8'))
$$;

-- What an entry says of a row: the values of its first argument's columns, and of the second's only that they changed. Of an update, what
-- it changed. Fired when the transaction commits, because from then on it takes no lock that another one could hold: an entry waits for
-- other commits of audited changes, never in a circle, and nobody else waits at all.
create function audit_change() returns trigger language plpgsql as $$
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
  entry.subject_id := coalesce(is_now, was) ->> 'id';
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

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only added to', tg_table_name using errcode = 'check_violation', constraint = tg_table_name || '_append_only';
end $$;
create trigger audit_log_append_only before update or delete or truncate on audit_log for each statement execute function refuse_change();

-- An address of mail or a password never stands in the log, only that it changed: the log outlives the account.
create constraint trigger users_audited_new after insert on users deferrable initially deferred
  for each row when (new.role <> 'user') execute function audit_change('{role}');
create constraint trigger users_audited after update of role, suspended_at, deleted_at, email, password_hash on users deferrable initially deferred
  for each row when (
    (old.role, old.suspended_at, old.deleted_at, old.email, old.password_hash)
    is distinct from (new.role, new.suspended_at, new.deleted_at, new.email, new.password_hash)
  ) execute function audit_change('{role,suspended_at,deleted_at}', '{email,password_hash}');
create constraint trigger users_audited_gone after delete on users deferrable initially deferred
  for each row execute function audit_change('{role}');

create constraint trigger payments_audited after update of status, amount_minor, user_id on payments deferrable initially deferred
  for each row when ((old.status, old.amount_minor, old.user_id) is distinct from (new.status, new.amount_minor, new.user_id))
  execute function audit_change('{status,amount_minor,user_id}');
create constraint trigger payments_audited_gone after delete on payments deferrable initially deferred
  for each row execute function audit_change('{status,amount_minor,currency,user_id,intent_id}');
create constraint trigger refunds_audited after insert or update or delete on refunds deferrable initially deferred
  for each row execute function audit_change('{payment_id,status,reason,provider_id}');
create constraint trigger subscriptions_audited_new after insert or delete on subscriptions deferrable initially deferred
  for each row execute function audit_change('{user_id,plan_id,source,payment_id,slots,starts_at,ends_at}');
create constraint trigger subscriptions_audited after update of user_id, plan_id, source, payment_id, slots, ends_at, replaced_by on subscriptions
  deferrable initially deferred
  for each row when (
    (old.user_id, old.plan_id, old.source, old.payment_id, old.slots, old.ends_at, old.replaced_by)
    is distinct from (new.user_id, new.plan_id, new.source, new.payment_id, new.slots, new.ends_at, new.replaced_by)
  ) execute function audit_change('{user_id,plan_id,source,payment_id,slots,ends_at,replaced_by}');
create constraint trigger plans_audited after update of price_minor, slots on plans deferrable initially deferred
  for each row when ((old.price_minor, old.slots) is distinct from (new.price_minor, new.slots)) execute function audit_change('{price_minor,slots}');

-- What moderators do with reviews, and what becomes of one by hand. Its author's taking it back is no matter of the log.
create constraint trigger reviews_audited after update of removed_because on reviews deferrable initially deferred
  for each row when (coalesce(old.removed_because, 'withdrawn') <> coalesce(new.removed_because, 'withdrawn'))
  execute function audit_change('{removed_because}');
create constraint trigger reviews_audited_gone after delete on reviews deferrable initially deferred
  for each row execute function audit_change('{listing_id,author_id,rating}');

-- A listing that moderators took from the site. It goes back to what it was.
alter table listings
  add column hidden_from text check (hidden_from in ('active', 'inactive', 'expired')),
  drop constraint listings_status_check,
  add constraint listings_status_check check (status in ('active', 'inactive', 'expired', 'hidden')),
  add constraint listings_hidden check ((status = 'hidden') = (hidden_from is not null));

drop trigger listings_transition on listings;
create trigger listings_transition before update of status on listings for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('active', 'inactive'), ('active', 'expired'), ('inactive', 'active'), ('inactive', 'expired'), ('expired', 'active'),
    ('active', 'hidden'), ('inactive', 'hidden'), ('expired', 'hidden'), ('hidden', 'active'), ('hidden', 'inactive'), ('hidden', 'expired')
  )) execute function refuse_transition();

-- What is hidden ends when it is shown again: until then it must not stand in the way of those that end now.
drop index listings_expiry;
create index listings_expiry on listings (subscription_ends_at) where status in ('active', 'inactive');

create constraint trigger listings_audited after update of status on listings deferrable initially deferred
  for each row when ((old.status = 'hidden') <> (new.status = 'hidden')) execute function audit_change('{status,hidden_from}');
create constraint trigger listings_audited_gone after delete on listings deferrable initially deferred
  for each row execute function audit_change('{listing_number,seller_id,status}');
