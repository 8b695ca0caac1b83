-- Who has saved what. Nothing of it is counted at the listing: hearts change far more often than listings do, and a
-- listing's triggers bring the search up to date.
create table saved_listings (
  user_id uuid not null references users on delete cascade,
  listing_id uuid not null references listings on delete cascade,
  saved_at timestamptz not null default now(),
  primary key (user_id, listing_id)
);
create index saved_listings_newest on saved_listings (user_id, saved_at desc, listing_id);
create index saved_listings_listing on saved_listings (listing_id);
