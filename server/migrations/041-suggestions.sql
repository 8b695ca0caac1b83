-- How a name begins, for suggestions while somebody types it: folded, of letters and digits, with one space between words.
create function suggestion_start(value text) returns text
  language sql immutable strict parallel safe
  return left(btrim(regexp_replace(fold_text(translate(value, '''’', '')), '[^[:alnum:]]+', ' ', 'g')), 60);

-- Names of active listings by their beginning, apart for each country and paid rank: the first few of each are read from the
-- index alone, however many begin so.
create index listings_business_start on listings (country, plan_rank, suggestion_start(business_title) text_pattern_ops)
  include (sort_key, business_title) where status = 'active';
create index listings_title_start on listings (country, plan_rank, suggestion_start(service_title) text_pattern_ops)
  include (sort_key, service_title) where status = 'active';
