-- Words of title, business name and services, each with the worthiest field that it stands in. The names of categories stand in no row:
-- its category is a facet of it already.

-- What the forms of a word have in common: a plural is one with its singular, and what somebody does with who does it ("tiling" and
-- "tilers" are "tiler", "tiles" are "tile"). The server has the same as `formOf`.
create function form_of(word text) returns text language plpgsql immutable strict parallel safe as $$
declare
  singular text := case
    when word ~ '..ies$' then left(word, -3) || 'y'
    when word ~ '..(ss|sh|ch|x|z)es$' then left(word, -2)
    when word ~ '..[^sui]s$' then left(word, -1)
    else word
  end;
begin
  return case
    when singular ~ '..erer$' then left(singular, -2)
    when singular ~ '..ering$' then left(singular, -3)
    when singular ~ '[aeiouy].*ing$' and length(singular) >= 6 then left(singular, -3) || 'er'
    else singular
  end;
end $$;

-- Each form once, with the first of title (1), business name (2) and services (3) that has it: "tiler.1".
create function tokens_of(title text, business text, services text[]) returns text[]
  language sql immutable strict parallel safe
  return array(
    select form || '.' || min(field)
    from (
      select form_of(word) as form, 1 as field from unnest(words_of(title)) as word
      union all
      select form_of(word), 2 from unnest(words_of(business)) as word
      union all
      select form_of(word), 3 from unnest(services) as service, unnest(words_of(service)) as word
    ) as words
    group by form
  );

drop index listings_search;
alter table listings drop column search_vector;
alter table listings
  -- The words, and as words with a colon the facets and the paid rank, under one index: a search by text and facets is one pass over it.
  add column search_vector tsvector not null generated always as (
    array_to_tsvector(
      tokens_of(service_title, business_title, services)
      || array['rank:' || plan_rank, 'country:' || country, 'region:' || region_code, 'district:' || district_code, 'main:' || main_category,
        'category:' || category_code]
      || coalesce('sub:' || sub_category_code, 'sub:none')
    )
  ) stored;
create index listings_search on listings using gin (search_vector) with (fastupdate = off) where status = 'active';

drop function words_counted(listings, int);
drop function add_search_words(search_word_counts[]);
drop table search_word_counts, search_words;

-- The vocabulary of the active listings: how many have a word. Beginnings of words and typos are looked up here.
create table search_words (
  word text collate "C" primary key,
  form text collate "C" not null generated always as (form_of(word)) stored,
  listings int not null
);
create index search_words_form on search_words (form);
create index search_words_parts on search_words using gin (word gin_trgm_ops) with (fastupdate = off);

-- How many listings have a form in which field at best, for each place, service and paid rank, so that the exact total of a common word and
-- the place of its listings in the order need no walk over them. The form '' stands in every title. Sub-category 0: none chosen.
create table search_word_counts (
  form text collate "C" not null,
  category_code smallint not null,
  sub_category_code smallint not null,
  region_code smallint not null,
  plan_rank smallint not null,
  in_title int not null,
  in_business int not null,
  in_services int not null,
  primary key (form, category_code, sub_category_code, region_code, plan_rank)
);

create function add_search_words(words search_words[], counts search_word_counts[]) returns void language sql as $$
  insert into search_words (word, listings)
  select word, sum(listings) from unnest(words) group by word having sum(listings) <> 0 order by word
  on conflict (word) do update set listings = search_words.listings + excluded.listings;
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

-- The words of a listing, and its forms with their fields: of one that is not active, nothing.
create function words_counted(listing listings, sign int) returns setof search_words language sql immutable as $$
  select row(word, null, sign)::search_words
  from unnest(words_of(listing.service_title || ' ' || listing.business_title || ' ' || array_to_string(listing.services, ' '))) as word
  where listing.status = 'active'
$$;
create function forms_counted(listing listings, sign int) returns setof search_word_counts language sql immutable as $$
  select row(
    left(token, -2), listing.category_code, coalesce(listing.sub_category_code, 0), listing.region_code, listing.plan_rank,
    case right(token, 1) when '1' then sign else 0 end,
    case right(token, 1) when '2' then sign else 0 end,
    case right(token, 1) when '3' then sign else 0 end
  )::search_word_counts
  from unnest(array_append(tsvector_to_array(listing.search_vector), '.1')) as token
  where listing.status = 'active' and position(':' in token) = 0
$$;

create or replace function listings_inserted() returns trigger language plpgsql as $$
begin
  perform add_listing_counts(array(select count_of(row_new, 1) from new_rows as row_new));
  perform add_search_words(
    array(select words_counted(row_new, 1) from new_rows as row_new), array(select forms_counted(row_new, 1) from new_rows as row_new)
  );
  perform notify_listings(array(select id from new_rows));
  return null;
end $$;

create or replace function listings_updated() returns trigger language plpgsql as $$
begin
  perform add_listing_counts(array(
    select count_of(row_new, 1) from new_rows as row_new union all select count_of(row_old, -1) from old_rows as row_old
  ));
  perform add_search_words(
    array(select words_counted(row_new, 1) from new_rows as row_new union all select words_counted(row_old, -1) from old_rows as row_old),
    array(select forms_counted(row_new, 1) from new_rows as row_new union all select forms_counted(row_old, -1) from old_rows as row_old)
  );
  perform notify_listings(array(select id from new_rows));
  return null;
end $$;

create or replace function listings_deleted() returns trigger language plpgsql as $$
begin
  perform add_listing_counts(array(select count_of(row_old, -1) from old_rows as row_old));
  perform add_search_words(
    array(select words_counted(row_old, -1) from old_rows as row_old), array(select forms_counted(row_old, -1) from old_rows as row_old)
  );
  perform notify_listings(array(select id from old_rows));
  return null;
end $$;

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
$$;
select recount_listings();
