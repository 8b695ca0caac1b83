-- Saved listings; not counted on the listing, because every update of a listing publishes it.
create table saved_listings (
  user_id uuid not null references users on delete cascade,
  listing_id uuid not null references listings on delete cascade,
  saved_at timestamptz not null default now(),
  primary key (user_id, listing_id)
);
create index saved_listings_newest on saved_listings (user_id, saved_at desc, listing_id);
create index saved_listings_listing on saved_listings (listing_id);
-- Who saved listings this week.
create index saved_listings_age on saved_listings (saved_at);
