-- outside a transaction
-- Names of active listings by their beginning, as in 041, with all that a suggestion shows: no listing is read for it, each of which lies on a page
-- of its own that a disk takes milliseconds for.
drop index concurrently if exists listings_business_names;
create index concurrently listings_business_names on listings (country, plan_rank, suggestion_start(business_title) text_pattern_ops)
  include (sort_key, business_title, category_code, district_code) where status = 'active';
drop index concurrently if exists listings_title_names;
create index concurrently listings_title_names on listings (country, plan_rank, suggestion_start(service_title) text_pattern_ops)
  include (sort_key, service_title, business_title) where status = 'active';
drop index concurrently if exists listings_business_start;
drop index concurrently if exists listings_title_start;
