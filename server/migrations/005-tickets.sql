-- The tickets of each month's draw and their log, an RFC 6962 tree; what an email stated during the month can be verified against it, so
-- these tables are append-only.
create table draw_periods (
  id uuid primary key default uuidv7(),
  year smallint not null check (year between 2020 and 2099),
  month smallint not null check (month between 1 and 12),
  starts_at timestamptz not null,
  closes_at timestamptz not null,
  -- The name of the log: host and month.
  origin text not null check (origin ~ '^[^\s+]+$'),
  -- As of the beginning of the period.
  terms jsonb not null,
  -- The number of leaves; this row is the lock under which they are numbered, and the last one that a transaction takes.
  log_size int not null default 0 check (log_size >= 0),
  closed_at timestamptz,
  constraint draw_periods_month unique (year, month),
  constraint draw_periods_time check (starts_at < closes_at)
);
create trigger draw_periods_append_only before delete or truncate on draw_periods for each statement execute function refuse_change();

-- The terms of a month are fixed, its log only grows, and a closed period never changes.
create trigger draw_periods_fixed before update on draw_periods for each row
  when (
    old.closed_at is not null or new.log_size < old.log_size
    or (old.id, old.year, old.month, old.starts_at, old.closes_at, old.origin, old.terms)
      is distinct from (new.id, new.year, new.month, new.starts_at, new.closes_at, new.origin, new.terms)
  ) execute function refuse_change();

create table draw_entries (
  -- 128 random bits in hex, published, without personal data; sorted as bytes.
  id text collate "C" primary key check (id ~ '^[0-9a-f]{32}$'),
  period_id uuid not null references draw_periods,
  user_id uuid not null references users,
  tickets int not null check (tickets >= 1),
  source text not null check (source in ('signup', 'referral', 'listing', 'other')),
  created_at timestamptz not null,
  -- The leaf that issued it.
  leaf_index int not null check (leaf_index >= 0),
  voided_at timestamptz,
  void_reason text check (void_reason in ('swapped', 'fraud', 'deleted', 'suspended', 'administrator', 'unconfirmed')),
  constraint draw_entries_leaf unique (period_id, leaf_index),
  constraint draw_entries_void check ((voided_at is null) = (void_reason is null))
);
create index draw_entries_user on draw_entries (user_id, created_at desc);
create trigger draw_entries_append_only before delete or truncate on draw_entries for each statement execute function refuse_change();

-- An entry is voided once and otherwise never changes.
create trigger draw_entries_fixed before update on draw_entries for each row
  when (
    old.voided_at is not null or new.voided_at is null
    or (old.id, old.period_id, old.user_id, old.tickets, old.source, old.created_at, old.leaf_index)
      is distinct from (new.id, new.period_id, new.user_id, new.tickets, new.source, new.created_at, new.leaf_index)
  ) execute function refuse_change();

create table ticket_log_leaves (
  period_id uuid not null references draw_periods,
  index int not null check (index >= 0),
  data text not null check (data ~ '^(\+ [0-9a-f]{32} [1-9][0-9]*|- [0-9a-f]{32} (swapped|fraud|deleted|suspended|administrator|unconfirmed)) [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$'),
  primary key (period_id, index)
);
-- An entry is issued once and voided once.
create unique index ticket_log_leaves_once on ticket_log_leaves (substr(data, 3, 32), left(data, 1));
create trigger ticket_log_leaves_append_only before update or delete or truncate on ticket_log_leaves for each statement execute function refuse_change();

-- Hashes of complete subtrees of two or more leaves, by level and index.
create table ticket_log_nodes (
  period_id uuid not null references draw_periods,
  level smallint not null check (level between 1 and 30),
  index int not null check (index >= 0),
  hash bytea not null check (length(hash) = 32),
  primary key (period_id, level, index)
);
create trigger ticket_log_nodes_append_only before update or delete or truncate on ticket_log_nodes for each statement execute function refuse_change();

-- Signed heads of the log; every email about tickets ends with one.
create table ticket_log_heads (
  period_id uuid not null references draw_periods,
  size int not null check (size >= 0),
  root bytea not null check (length(root) = 32),
  checkpoint text not null,
  signed_at timestamptz not null,
  primary key (period_id, size)
);
create trigger ticket_log_heads_append_only before update or delete or truncate on ticket_log_heads for each statement execute function refuse_change();

-- Refuses changes to a month whose entries are closed.
create function refuse_closed_period() returns trigger language plpgsql as $$
begin
  if exists (select from draw_periods where closed_at is not null and id in (select period_id from touched)) then
    raise exception 'the period of this draw is closed' using errcode = 'check_violation', constraint = tg_table_name || '_closed';
  end if;
  return null;
end $$;

-- Nothing is added to a closed month.
create trigger draw_entries_closed after insert on draw_entries referencing new table as touched
  for each statement execute function refuse_closed_period();
create trigger draw_entries_void_closed after update on draw_entries referencing new table as touched
  for each statement execute function refuse_closed_period();
create trigger ticket_log_leaves_closed after insert on ticket_log_leaves referencing new table as touched
  for each statement execute function refuse_closed_period();
create trigger ticket_log_nodes_closed after insert on ticket_log_nodes referencing new table as touched
  for each statement execute function refuse_closed_period();
create trigger ticket_log_heads_closed after insert on ticket_log_heads referencing new table as touched
  for each statement execute function refuse_closed_period();

-- Who gave an entry with the source "other", and why.
create table given_entries (
  id uuid primary key default uuidv7(),
  entry_id text collate "C" not null unique references draw_entries,
  user_id uuid not null references users,
  tickets int not null check (tickets between 1 and 50),
  given_by uuid not null references users,
  reason text not null check (length(reason) between 1 and 500)
);

-- Tickets given by an administrator are recorded in the audit log.
create constraint trigger given_entries_audited after insert on given_entries deferrable initially deferred
  for each row execute function audit_change('{entry_id,user_id,tickets,given_by,reason}');
create trigger given_entries_append_only before update or delete or truncate on given_entries for each statement execute function refuse_change();

-- Identities of deleted ticket holders, stored as long as the strictest state requires and encrypted with a key that is not in the
-- database.
create table sealed_entrants (
  user_id uuid primary key references users,
  key_id text not null,
  sealed bytea not null,
  sealed_at timestamptz not null,
  erase_after timestamptz not null
);
create index sealed_entrants_age on sealed_entrants (erase_after);
