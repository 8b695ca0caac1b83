-- Extensions, tables without a domain, the audit log and functions that several domains use.

create extension citext;
create extension pg_trgm;
create extension btree_gin;
create extension unaccent;

-- PostgreSQL 18 has this function. Microseconds follow the milliseconds, so that ids sort by time here too.
do $$ begin
  if to_regprocedure('uuidv7()') is null then
    create function uuidv7() returns uuid language sql volatile parallel safe as $f$
      select encode(
        int8send((us / 1000 << 16) | (7 << 12) | (us % 1000 * 4096 / 1000)) || substring(uuid_send(gen_random_uuid()) from 9), 'hex'
      )::uuid from (select floor(extract(epoch from clock_timestamp()) * 1000000)::bigint as us) as now
    $f$;
  end if;
end $$;

-- Attempt counters, shared by all servers; unlogged, so they restart at zero after a crash.
create unlogged table attempts (
  key text primary key,
  count int not null,
  window_ends_at timestamptz not null,
  -- Attempts being checked; each holds a place of the limit until its outcome is known.
  pending int not null default 0 check (pending >= 0),
  -- When the next attempt may run, where attempts are slowed down instead of refused.
  next_at timestamptz
);

-- Uploaded pictures and logos; a row is written before the first object is stored and deleted after the last one is removed, so that the
-- sweep only has to read this table. Demo pictures have no rows, because several listings share one.
create table files (
  key text primary key,
  -- The full storage key of each of its objects.
  objects text[] not null check (cardinality(objects) > 0),
  -- unattached: no row uses it; swept after an hour. attached: exactly one listing uses it; set and unset in the transaction that writes
  -- the listing. deleting: taken by the sweep; there is no way back, so an object in use is never deleted.
  state text not null default 'unattached' check (state in ('unattached', 'attached', 'deleting')),
  changed_at timestamptz not null default now()
);
create index files_to_sweep on files (changed_at) where state <> 'attached';

-- Messages between servers, written in the transaction that they describe and read by every server after its commit
-- (server/src/kit/events/changes.ts); unlike NOTIFY, writing one takes no database-wide lock at commit. Unlogged: a crash ends all
-- connections, and a reconnecting reader treats everything as changed.
create unlogged table changes (
  -- The writing transaction; ids are not assigned in commit order, so a reader asks for what its last snapshot did not see instead of
  -- remembering the highest id.
  xid xid8 not null default pg_current_xact_id(),
  id bigint not null generated always as identity,
  channel text not null,
  payload jsonb not null,
  primary key (xid, id)
);
-- Logged, because PostgreSQL 18 may leave an unlogged sequence unreadable on a promoted standby.
alter sequence changes_id_seq set logged;

-- Sends a message to every server, which each receives after the commit.
create function publish_change(channel text, payload jsonb) returns void language sql as $$
  insert into changes (channel, payload) values (channel, payload)
$$;

-- Points in time at which every transaction below a number had ended; changes below an old mark have been read by every server and are
-- deleted.
create unlogged table change_marks (
  taken_at timestamptz not null default clock_timestamp(),
  ended_below xid8 not null default pg_snapshot_xmin(pg_current_snapshot())
);

-- Live events of each user; the counter's row is locked until the commit, so a user's numbers have no gaps and follow the order of
-- commits.
create table user_event_counters (
  user_id uuid primary key,
  last_seq bigint not null
);

create table user_events (
  user_id uuid not null,
  seq bigint not null check (seq > 0),
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, seq)
);
create index user_events_age on user_events (created_at);

-- Users with an open live-event stream and when it was last seen; unlogged, because a crash closes all of them.
create unlogged table presence (
  user_id uuid primary key,
  seen_at timestamptz not null default now()
);

-- Kinds of email that a user has unsubscribed from.
create table ended_mails (
  user_id uuid not null,
  kind text not null,
  ended_at timestamptz not null default now(),
  primary key (user_id, kind)
);

-- Keys that the servers sign links in emails with; created on first use.
create table signing_keys (
  name text primary key,
  key bytea not null check (length(key) = 32)
);

-- Changes to rights, money and moderation, written by triggers so that SQL typed by hand is recorded too; each entry is chained to the
-- previous one by a hash, so that a removed, changed or inserted entry is detected.
create table audit_log (
  -- Without gaps, in commit order.
  number bigint primary key check (number > 0),
  written_at timestamptz not null,
  -- Null for the server itself or a database client; `program` says which.
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

-- The last entry of the audit log; its row is the lock under which entries are numbered.
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

-- Records the columns of the first argument with their values, those of the second only as "changed". Runs deferred, when no other lock
-- is taken after it, so that waiting for `audit_head` cannot deadlock.
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

-- Refuses every change that its trigger names; with the *_append_only triggers, a table is append-only whoever writes.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is only added to', tg_table_name using errcode = 'check_violation', constraint = tg_table_name || '_append_only';
end $$;

-- The audit log is append-only.
create trigger audit_log_append_only before update or delete or truncate on audit_log for each statement execute function refuse_change();

-- Refuses a state change that is not in the list of its trigger; the lists equal those of the *.states.ts files.
create function refuse_transition() returns trigger language plpgsql as $$
begin
  raise exception '% cannot go from % to %', tg_table_name, old.status, new.status using errcode = 'check_violation', constraint = tg_table_name || '_transition';
end $$;

-- Publishes changed listings by id up to 2,000, beyond that as "many", after which servers invalidate their whole cache; batches of
-- expiring plans (server/src/domains/selling/selling.jobs.ts) stay below that.
create function notify_listings(ids uuid[]) returns void language sql as $$
  select publish_change('listings', case when cardinality(ids) <= 2000 then to_jsonb(ids) else '"many"' end) where cardinality(ids) > 0
$$;

-- Lower case without macrons and accents. Declared immutable: the dictionary file of unaccent must not change.
create function fold_text(value text) returns text
  language sql immutable strict parallel safe
  return lower(public.unaccent('public.unaccent'::regdictionary, value));
