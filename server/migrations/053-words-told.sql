-- Every server that answers searches from memory holds the vocabulary too, and is told which words of it have changed: of how many
-- listings have one. What is told are the words alone: whoever reads them anew reads what is true then, however often it was told.
create or replace function add_search_words(words search_words[], counts search_word_counts[]) returns void language sql as $$
  with changed as (
    insert into search_words (word, listings)
    select word, sum(listings) from unnest(words) group by word having sum(listings) <> 0 order by word
    on conflict (word) do update set listings = search_words.listings + excluded.listings
    returning word
  )
  select tell('words', case when count(*) <= 1000 then jsonb_agg(word) else '"many"' end) from changed having count(*) > 0;
  insert into search_word_counts
  select form, category_code, sub_category_code, region_code, plan_rank, sum(in_title), sum(in_business), sum(in_services) from unnest(counts)
  group by form, category_code, sub_category_code, region_code, plan_rank
  having sum(in_title) <> 0 or sum(in_business) <> 0 or sum(in_services) <> 0
  order by form, category_code, sub_category_code, region_code, plan_rank
  on conflict (form, category_code, sub_category_code, region_code, plan_rank) do update set
    in_title = search_word_counts.in_title + excluded.in_title,
    in_business = search_word_counts.in_business + excluded.in_business,
    in_services = search_word_counts.in_services + excluded.in_services
$$;

create or replace function recount_listings() returns void language sql as $$
  truncate listing_counts, search_words, search_word_counts;
  insert into listing_counts
  select country, region_code, district_code, main_category, category_code, coalesce(sub_category_code, 0), count(*)
  from listings where status = 'active' group by 1, 2, 3, 4, 5, 6;
  insert into search_words (word, listings)
  select word, sum(counted.listings) from listings, words_counted(listings, 1) as counted group by word;
  insert into search_word_counts
  select form, counted.category_code, counted.sub_category_code, counted.region_code, counted.plan_rank,
    sum(in_title), sum(in_business), sum(in_services)
  from listings, forms_counted(listings, 1) as counted group by 1, 2, 3, 4, 5;
  select tell('words', '"many"');
$$;
