-- Searches that members keep. Whatever goes live for the first time waits in new_listings until all of them together are held against all
-- alerts, once a day; what an alert finds waits for its next mail.

create table alerts (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  name text not null check (length(name) between 1 and 80),
  frequency text not null check (frequency in ('daily', 'weekly')),
  -- By whose clocks its mails come.
  country text not null check (country in ('NZ', 'AU')),
  -- The parameters of the page that shows all that match.
  query text not null,
  -- What the search meant when it was kept: a filter as the server's searches take it, and words. The same search is one alert.
  filter jsonb not null,
  words text not null,
  -- The filter, as listings are held against it. Place and services in the words of the search column: 'region:3', 'category:6', or 'any'.
  place text collate "C" not null,
  services text[] collate "C" not null,
  -- Bounds of evidence_cell, and whole dollars.
  least_cell smallint not null,
  cell_flags smallint not null,
  price_cell smallint not null,
  max_price int,
  -- The part of the filter that asks who comes how far; place is then 'any'.
  reach jsonb,
  created_at timestamptz not null,
  -- What went live before is not new to it.
  since timestamptz not null,
  paused_at timestamptz,
  -- Deleted, and not yet for good.
  deleted_at timestamptz,
  mailed_at timestamptz,
  unique (user_id, filter, words)
);

create table new_listings (
  listing_id uuid primary key references listings on delete cascade,
  live_at timestamptz not null
);

-- What an alert has found: once for each listing, whoever looks.
create table alert_finds (
  alert_id uuid not null references alerts on delete cascade,
  listing_id uuid not null references listings on delete cascade,
  -- When it was mailed. Null: it waits.
  told_at timestamptz,
  primary key (alert_id, listing_id)
);
create index alert_finds_waiting on alert_finds (alert_id) where told_at is null;
create index alert_finds_listing on alert_finds (listing_id);
