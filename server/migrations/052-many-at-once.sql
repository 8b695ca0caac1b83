-- What many listings that change at once cost. No trigger looks at a row of `listings` before an update of it: where one does, PostgreSQL takes it
-- that it may change any column and works out all generated ones anew, the words above all. And what is counted is read from all
-- rows of a statement by one query: a function that is called for each row is begun and ended for each row.

drop trigger listings_transition on listings;
create trigger listings_transition after update of status on listings for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('active', 'inactive'), ('active', 'expired'), ('inactive', 'active'), ('inactive', 'expired'), ('expired', 'active'),
    ('active', 'hidden'), ('inactive', 'hidden'), ('expired', 'hidden'), ('hidden', 'active'), ('hidden', 'inactive'), ('hidden', 'expired')
  )) execute function refuse_transition();

-- Few listings ever change their group: these are written twice.
create function listings_group_moved() returns trigger language plpgsql as $$
begin
  update listings set group_mean = coalesce((select mean from category_means where category_code = new.category_code), 40) where id = new.id;
  return null;
end $$;
drop trigger listings_group_mean on listings;
create trigger listings_group_mean before insert on listings
  for each row execute function listings_group_mean();
create trigger listings_group_moved after update of category_code on listings
  for each row when (old.category_code <> new.category_code) execute function listings_group_moved();

-- Columns instead of one row of them: only then does PostgreSQL make such a function part of the query that calls it.
create or replace function words_counted(listing listings, sign int) returns setof search_words language sql immutable as $$
  select word, null::text, sign
  from unnest(words_of(listing.service_title || ' ' || listing.business_title || ' ' || array_to_string(listing.services, ' '))) as word
  where listing.status = 'active'
$$;
create or replace function forms_counted(listing listings, sign int) returns setof search_word_counts language sql immutable as $$
  select
    left(token, -2), listing.category_code, coalesce(listing.sub_category_code, 0::smallint), listing.region_code, listing.plan_rank,
    case right(token, 1) when '1' then sign else 0 end,
    case right(token, 1) when '2' then sign else 0 end,
    case right(token, 1) when '3' then sign else 0 end
  from unnest(array_append(tsvector_to_array(listing.search_vector), '.1')) as token
  where listing.status = 'active' and position(':' in token) = 0
$$;
create or replace function lane_of(kind smallint) returns smallint language sql stable as $$
  select case when kind <= 0 then pg_backend_pid() % 8 else 0 end
$$;
create or replace function base_counted(listing listings, sign int) returns setof base_counts language sql stable as $$
  select listing.base_cell, kind, coalesce(listing.service_radius_km, 0::smallint), lane_of(kind), sign
  from unnest(kinds_of(listing)) as kind where listing.status = 'active'
$$;
create or replace function served_counted(listing listings, sign int) returns setof served_counts language sql stable as $$
  select place_code, kind, listing.base_cell, lane_of(kind), sign
  from unnest(kinds_of(listing)) as kind, (
    select unnest(listing.service_districts) union select unnest(listing.service_districts) / 100::smallint
  ) as place (place_code)
  where listing.status = 'active'
$$;

create or replace function listings_inserted() returns trigger language plpgsql as $$
begin
  perform add_listing_counts(array(select count_of(row_new, 1) from new_rows as row_new));
  perform add_search_words(
    array(select counted from new_rows as row_new, words_counted(row_new, 1) as counted),
    array(select counted from new_rows as row_new, forms_counted(row_new, 1) as counted)
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
    array(
      select counted from new_rows as row_new, words_counted(row_new, 1) as counted
      union all select counted from old_rows as row_old, words_counted(row_old, -1) as counted
    ),
    array(
      select counted from new_rows as row_new, forms_counted(row_new, 1) as counted
      union all select counted from old_rows as row_old, forms_counted(row_old, -1) as counted
    )
  );
  perform notify_listings(array(select id from new_rows));
  return null;
end $$;

create or replace function listings_deleted() returns trigger language plpgsql as $$
begin
  perform add_listing_counts(array(select count_of(row_old, -1) from old_rows as row_old));
  perform add_search_words(
    array(select counted from old_rows as row_old, words_counted(row_old, -1) as counted),
    array(select counted from old_rows as row_old, forms_counted(row_old, -1) as counted)
  );
  perform notify_listings(array(select id from old_rows));
  return null;
end $$;

create or replace function listings_whereabouts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_base_counts(array(select counted from new_rows as row_new, base_counted(row_new, 1) as counted));
    perform add_served_counts(array(select counted from new_rows as row_new, served_counted(row_new, 1) as counted));
  elsif tg_op = 'DELETE' then
    perform add_base_counts(array(select counted from old_rows as row_old, base_counted(row_old, -1) as counted));
    perform add_served_counts(array(select counted from old_rows as row_old, served_counted(row_old, -1) as counted));
  -- Most changes are of texts, dates and stars, which count nothing here.
  elsif exists (
    select from old_rows as row_old join new_rows as row_new on row_new.id = row_old.id
    where (row_old.status, row_old.base_cell, row_old.category_code, row_old.sub_category_code, row_old.service_radius_km, row_old.service_districts)
      is distinct from
      (row_new.status, row_new.base_cell, row_new.category_code, row_new.sub_category_code, row_new.service_radius_km, row_new.service_districts)
  ) then
    perform add_base_counts(array(
      select counted from new_rows as row_new, base_counted(row_new, 1) as counted
      union all select counted from old_rows as row_old, base_counted(row_old, -1) as counted
    ));
    perform add_served_counts(array(
      select counted from new_rows as row_new, served_counted(row_new, 1) as counted
      union all select counted from old_rows as row_old, served_counted(row_old, -1) as counted
    ));
  end if;
  return null;
end $$;

-- A connection keeps the plan that it made for its first statement. Made for one row, it would compare each of a thousand rows with each.
alter function listings_whereabouts() set enable_nestloop = off;
alter function listings_lists() set enable_nestloop = off;
alter function listing_ratings_moved() set enable_nestloop = off;
