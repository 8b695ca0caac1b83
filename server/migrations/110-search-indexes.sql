-- Flags and stars are in the index of the words: a common word with a rare flag meets there, and not row by row.
-- allowed: nothing is deployed, so no server of a version before runs beside it.
drop index listings_document, listings_locality, listings_travelling;
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_document on listings
  using gin (
    search_document, category_code, region_code, district_code, sub_category_code, verified, has_photos, answers_within_day, rating_tenths
  ) with (fastupdate = off) where status = 'active';

-- Around a point. It has all that a search without words reads of a listing, so that thousands of rows need not be fetched.
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_locality on listings (locality_code)
  include (country, category_code, sub_category_code, listing_number, sort_key, plan_rank, rating_score) where status = 'active';
-- Who travels to a point that is so far away.
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_travelling on listings (locality_code, service_radius_km) where status = 'active' and service_radius_km is not null;
