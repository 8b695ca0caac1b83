-- Saved searches; new_listings is matched against all of them once a day, and alert_finds waits for the next email.
create table alerts (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) between 1 and 80),
  frequency text not null check (frequency in ('daily', 'weekly')),
  -- The country whose time zone its emails follow.
  country text not null check (country in ('NZ', 'AU')),
  -- The parameters of the results page.
  query text not null,
  -- The meaning of the search when it was saved: the server's `SearchFilter` and words, unique per user.
  filter jsonb not null,
  words text not null,
  created_at timestamptz not null,
  -- Earlier listings are not new to it.
  since timestamptz not null,
  paused_at timestamptz,
  -- Deleted, but can be restored.
  deleted_at timestamptz,
  mailed_at timestamptz,
  unique (user_id, filter, words)
);

create table new_listings (
  listing_id uuid primary key references listings on delete cascade,
  live_at timestamptz not null
);

-- Listings found by an alert, each once.
create table alert_finds (
  alert_id uuid not null references alerts on delete cascade,
  listing_id uuid not null references listings on delete cascade,
  -- When it was emailed; null while it waits.
  told_at timestamptz,
  primary key (alert_id, listing_id)
);
create index alert_finds_waiting on alert_finds (alert_id) where told_at is null;
create index alert_finds_listing on alert_finds (listing_id);
