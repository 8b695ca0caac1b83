-- Daily views of a listing, written in batches; not stored on the listing, because every update of a listing publishes it.
create table listing_views (
  listing_id uuid not null references listings on delete cascade,
  -- In the time zone of the listing's region.
  day date not null,
  views int not null check (views > 0),
  visitors int not null,
  primary key (listing_id, day),
  -- A row may add views without visitors.
  check (visitors between 0 and views)
);
create index listing_views_day on listing_views (day);

-- Visitors of a listing on a day, each counted once: a hash of network, browser, listing and the day's salt, both deleted after the day,
-- so that no one can be identified.
create table listing_visitors (
  day date not null,
  listing_id uuid not null,
  visitor bytea not null check (length(visitor) = 16),
  -- When their last view was counted.
  counted_at timestamptz not null,
  primary key (day, listing_id, visitor)
);

create table view_salts (
  day date primary key,
  salt bytea not null check (length(salt) = 32)
);

-- Weeks that a seller was emailed their figures for, each once; identified by its Monday.
create table weekly_figures (
  user_id uuid not null references users on delete cascade,
  week date not null check (extract(isodow from week) = 1),
  primary key (user_id, week)
);
