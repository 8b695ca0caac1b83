-- outside a transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
-- Around a point, by category: a search for a trade reads its own listings of each place instead of all of them. Includes what a search without words
-- reads, so that thousands of rows need not be fetched.
drop index concurrently if exists listings_around;
create index concurrently listings_around on listings (locality_code, category_code, sub_category_code)
  include (country, listing_number, sort_key, plan_rank, rating_score) where status = 'active';
drop index concurrently if exists listings_locality;
