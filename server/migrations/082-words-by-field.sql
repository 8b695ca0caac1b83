-- outside a transaction
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
-- Has the words of title, business and services apart: a search for frequent words shows the listings first that name them, and an index knows no weights.
drop index concurrently if exists listings_words;
create index concurrently listings_words on listings
  using gin (
    search_document, ts_filter(search_document, '{a,b,c}'), category_code, region_code, district_code, sub_category_code, verified, has_photos,
    answers_within_day, rating_tenths
  ) with (fastupdate = off) where status = 'active';
drop index concurrently if exists listings_document;
-- The planner knows the words of an expression only from the next analysis on.
analyze listings;
