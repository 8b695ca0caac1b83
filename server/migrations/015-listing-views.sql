-- How often listings are looked at. A table of its own, without a trigger: views come far more often than listings change, and a
-- change of a listing brings the search and the pages up to date. Servers write it in batches.
create table listing_views (
  listing_id uuid not null references listings on delete cascade,
  -- By the clocks of the listing's region.
  day date not null,
  views int not null check (views > 0),
  visitors int not null,
  primary key (listing_id, day),
  -- None in a row that only adds to another one.
  check (visitors between 0 and views)
);
create index listing_views_day on listing_views (day);

-- Who has looked at a listing on a day, so that each counts once: a hash of the network and the browser with the day's salt and the
-- listing, kept until the day is over. With the salt gone nobody can tell any more whose it was.
create table listing_visitors (
  day date not null,
  listing_id uuid not null,
  visitor bytea not null check (length(visitor) = 16),
  -- When a view of theirs was last counted.
  counted_at timestamptz not null,
  primary key (day, listing_id, visitor)
);
create table view_salts (
  day date primary key,
  salt bytea not null check (length(salt) = 32)
);
