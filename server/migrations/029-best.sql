-- The order "Best" of a group reads the counts of all its active listings: from this index alone, not from their rows.
create index listings_best on listings (category_code) include (country, region_code, district_code, sort_key, rating_counts)
  where status = 'active';
