-- outside a transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
-- Includes what a search without words and the counts of towns read, so that the thousands of rows of a trade in a region need not be fetched.
drop index concurrently if exists listings_of_region;
create index concurrently listings_of_region on listings (category_code, region_code, sort_key desc)
  include (listing_number, plan_rank, rating_score, locality_code) where status = 'active';
drop index concurrently if exists listings_ranked_both;
