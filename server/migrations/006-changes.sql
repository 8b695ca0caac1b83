-- What servers tell each other: one row for each message, written by the transaction that it speaks of and read by every
-- server a moment after its commit (server/src/kit/events.ts). Not NOTIFY: a transaction that notifies holds a lock on the
-- whole database while it commits, so all of them commit one after the other.
--
-- Unlogged: the rows speak to caches and open connections, and a crash of the database ends every connection through which
-- they are read. Whoever connects anew takes it that everything has changed.
create unlogged table changes (
  -- The transaction that wrote it. Numbers of transactions and of rows are given in another order than that of the commits,
  -- so no reader may take the highest that it has seen for the place where it goes on: it asks for what its last snapshot did
  -- not see yet.
  xid xid8 not null default pg_current_xact_id(),
  id bigint not null generated always as identity,
  channel text not null,
  payload jsonb not null,
  primary key (xid, id)
);

-- That every transaction below a number had ended at a time. What was written below an old mark has been read by everybody,
-- however long its transaction took, and is deleted (server/src/kit/changes.ts).
create unlogged table change_marks (
  taken_at timestamptz not null default clock_timestamp(),
  ended_below xid8 not null default pg_snapshot_xmin(pg_current_snapshot())
);

create function tell(channel text, payload jsonb) returns void language sql as $$
  insert into changes (channel, payload) values (channel, payload)
$$;

-- The ids of the changed listings, so that cached pages and remembered totals are dropped.
create or replace function notify_listings(ids uuid[]) returns void language sql as $$
  select tell('listings', case when cardinality(ids) <= 100 then to_jsonb(ids) else '"many"' end) where cardinality(ids) > 0
$$;

comment on table listings is
  'Each change of a row runs the triggers: counts, words, and a message to every server. Counters that change often (views, saves, messages) belong into tables of their own.';
comment on column listings.rating_counts is
  'Changed by the trigger on reviews alone. Reviews are rare, so they may run the triggers of listings.';
