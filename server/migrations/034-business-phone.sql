-- In E.164; empty without one.
alter table listings add column business_phone text not null default '' check (business_phone ~ '^(\+6[14]\d{6,12})?$');

-- How many visitors asked for the number that day, each counted once. Such a row may have no views; that they are not negative follows
-- from the visitors.
alter table listing_views
  drop constraint listing_views_views_check,
  add column numbers_shown int not null default 0 check (numbers_shown >= 0);
