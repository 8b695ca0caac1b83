-- The search: what a listing is found, filtered and ordered by. All columns are generated from the row's own, so that they hold whatever
-- writes the row; no trigger is needed.
create extension if not exists btree_gin;

-- The words of a text in their order, as they are written and as stems: "tiling bathrooms" is 'tiling':1 'tiler':1 'bathrooms':2 'bathroom':2. A
-- plural is its singular, and what somebody does is who does it ("tiling" and "tilers" are "tiler", "tiles" are "tile"). The server has the same
-- as `stemOf`.
create function words_in_order(value text) returns tsvector language plpgsql immutable strict parallel safe as $$
declare
  word text;
  stem text;
  place int := 0;
  words text := '';
begin
  foreach word in array regexp_split_to_array(fold_text(translate(value, '''’', '')), '[^[:alnum:]]+') loop
    continue when word = '';
    word := left(word, 60);
    place := place + 1;
    stem := case
      when right(word, 1) <> 's' then word
      when word ~ '..ies$' then left(word, -3) || 'y'
      when word ~ '..(ss|sh|ch|x|z)es$' then left(word, -2)
      when word ~ '..[^sui]s$' then left(word, -1)
      else word
    end;
    stem := case
      when stem ~ '..erer$' then left(stem, -2)
      when right(stem, 3) <> 'ing' then stem
      when stem ~ '..ering$' then left(stem, -3)
      when length(stem) >= 6 and stem ~ '[aeiouy].*ing$' then left(stem, -3) || 'er'
      else stem
    end;
    words := words || stem || ':' || place || case when stem <> word then ' ' || word || ':' || place || ' ' else ' ' end;
  end loop;
  return words::tsvector;
end $$;

-- All words of a listing, weighed by where they are written, and the codes of its services: a word in a category's name searches for its code.
create function search_document(
  title text, business text, services text[], description text, category_code smallint, sub_category_code smallint
) returns tsvector language sql immutable parallel safe
return setweight(words_in_order(title), 'A') || setweight(words_in_order(business), 'B')
  || setweight(words_in_order(array_to_string(services, ' ')), 'C') || setweight(words_in_order(description), 'D')
  || array_to_tsvector(array_remove(array['category:' || category_code, 'sub:' || sub_category_code], null));

-- allowed: nothing is deployed, so no server of a version before runs beside it.
alter table listings
  add column search_document tsvector not null generated always as (
    search_document(service_title, business_title, services, service_description, category_code, sub_category_code)
  ) stored,
  -- The locality that it is found by: its base, or as minus the district's code the main town of its district.
  add column locality_code int not null generated always as (coalesce(base_locality_code, -district_code)) stored,
  -- What the order "Best rated" goes by: `bestScore` of the contract, times 100,000.
  add column rating_score int not null generated always as (
    (50000::bigint * group_mean + 100000::bigint * (
      rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5]
    )) / (5 + rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5])
  ) stored,
  -- Its average as it is shown, in tenths of a star; 0 without reviews.
  add column rating_tenths smallint not null generated always as (
    coalesce(round(
      10.0 * (rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5])
      / nullif(rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5], 0)
    ), 0)
  ) stored,
  add column has_photos boolean not null generated always as (pictures <> '[]') stored;

-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_document on listings
  using gin (search_document, category_code, region_code, district_code, sub_category_code) with (fastupdate = off) where status = 'active';
-- Lists in the order of the plans: everything, a group, a region, a group in a region.
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_ranked on listings (sort_key desc) where status = 'active';
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_ranked_category on listings (category_code, sort_key desc) where status = 'active';
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_ranked_region on listings (region_code, sort_key desc) where status = 'active';
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_ranked_both on listings (category_code, region_code, sort_key desc) where status = 'active';
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_best_rated on listings (rating_score desc, sort_key desc) where status = 'active';
-- Who is found around a point: who is based there, who comes that far, who names its district.
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_locality on listings (locality_code) where status = 'active';
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_travelling on listings (locality_code, category_code) include (service_radius_km)
  where status = 'active' and service_radius_km is not null;
-- allowed: nothing is deployed, so no server of a version before runs beside it.
create index listings_served on listings using gin (service_districts, category_code) with (fastupdate = off)
  where status = 'active' and service_districts is not null;

-- Every word of a listing, as it is written and as a stem: what typing errors are corrected to. Words of listings that ended are removed at night.
create table search_vocabulary (word text collate "C" primary key);
create index search_vocabulary_parts on search_vocabulary using gin (word gin_trgm_ops) with (fastupdate = off);

-- Adds the words of these listings. In their order, so that two transactions that add the same ones wait for each other in a row.
create function add_to_vocabulary(ids uuid[]) returns void language sql as $$
  insert into search_vocabulary (word)
  select distinct word from listings, unnest(tsvector_to_array(search_document)) as word
  where id = any(ids) and position(':' in word) = 0 order by word
  on conflict do nothing
$$;

create function rebuild_vocabulary() returns void language sql as $$
  insert into search_vocabulary (word)
  select distinct word from listings, unnest(tsvector_to_array(search_document)) as word
  where status = 'active' and position(':' in word) = 0 order by word
  on conflict do nothing;
  delete from search_vocabulary where not exists (
    select from listings where status = 'active' and search_document @@ quote_literal(search_vocabulary.word)::tsquery
  );
$$;
select rebuild_vocabulary();
