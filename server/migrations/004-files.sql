-- One row for each picture or logo that was uploaded: what lies in the store, and whether anything still shows it. The
-- pictures of the demo data have no rows: several listings share one, so nobody may delete them.
--
-- A row is written before the first byte of its objects and deleted after the last one is gone. So whatever lies in the
-- store is known here, wherever a process was killed, and the sweep needs to look at this table alone.
create table files (
  key text primary key,
  -- The full key of every object in the store that belongs to it.
  objects text[] not null check (cardinality(objects) > 0),
  -- unattached: stored, but nothing shows it (yet or any more). Swept when it has been so for an hour.
  -- attached: shown by exactly one listing. Set and unset in the transaction that writes the listing.
  -- deleting: the sweep has it. No way leads back, so an object is never deleted from under a listing: the sweep and
  -- the transaction that attaches both update the row where it is unattached, and the row's lock lets one of them win.
  state text not null default 'unattached' check (state in ('unattached', 'attached', 'deleting')),
  changed_at timestamptz not null default now()
);
create index files_to_sweep on files (changed_at) where state <> 'attached';
