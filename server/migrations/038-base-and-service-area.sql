-- Where a business is based, and how far from there or to which districts it comes. The places are those of `localities`, and where they
-- lie stands there alone: what moves on an import of places moves for all listings at once.
alter table listings
  add column base_locality_code int references localities,
  add column service_radius_km smallint,
  add column service_districts smallint[],
  -- The place that distances are reckoned from: the base, or where none is given the main town of the district, as minus its code. Whoever
  -- gives no base is found by distance all the same, and an older listing needs no row rewritten for it.
  add column base_cell int not null generated always as (coalesce(base_locality_code, -district_code)) stored,
  add constraint listings_radius check (service_radius_km between 1 and 200),
  add constraint listings_radius_has_base check (service_radius_km is null or base_locality_code is not null),
  -- One of the two, so that a listing comes to a place for one reason and counts once.
  add constraint listings_one_service_area check (service_radius_km is null or service_districts is null),
  add constraint listings_service_districts check (cardinality(service_districts) between 1 and 20 and district_code = any(service_districts));

-- The lists of one town, and the steps of a search by distance: as the indexes of 002 for the other places.
create index listings_t on listings (base_cell, sort_key desc) where status = 'active';
create index listings_tm on listings (base_cell, main_category, sort_key desc) where status = 'active';
create index listings_tg on listings (base_cell, category_code, sort_key desc) where status = 'active';
create index listings_ts on listings (base_cell, sub_category_code, sort_key desc) where status = 'active';
-- Who comes from there to other places.
create index listings_reach on listings (base_cell, sort_key desc)
  include (main_category, category_code, sub_category_code, service_radius_km, service_districts)
  where status = 'active' and (service_radius_km is not null or service_districts is not null);

-- Active listings based in a place, for each kind of services and each radius (0: none given). `kind` is a group's or a sub-category's code,
-- 0 for all, -1, -2 and -3 for the main categories. Summed over the places within a distance, they are the exact total of a search there.
create table base_counts (
  base_cell int not null,
  kind smallint not null,
  service_radius_km smallint not null,
  -- The rows of all services and of a main category are each several, so that those who publish in one town do not wait for each other.
  lane smallint not null,
  listings int not null,
  primary key (base_cell, kind, service_radius_km, lane)
);

-- Active listings that name the districts they come to, for each of these and for its region (`place_code`), by where they are based.
create table served_counts (
  place_code smallint not null,
  kind smallint not null,
  base_cell int not null,
  lane smallint not null,
  listings int not null,
  primary key (place_code, kind, base_cell, lane)
);

create function kinds_of(listing listings) returns smallint[] language sql immutable as $$
  select array_remove(array[
    0, -array_position(array['domestic', 'trade', 'other'], listing.main_category), listing.category_code, listing.sub_category_code
  ]::smallint[], null)
$$;

create function lane_of(kind smallint) returns smallint language sql as $$
  select case when kind <= 0 then pg_backend_pid() % 8 else 0 end
$$;

create function base_counted(listing listings, sign int) returns setof base_counts language sql as $$
  select row(listing.base_cell, kind, coalesce(listing.service_radius_km, 0), lane_of(kind), sign)::base_counts
  from unnest(kinds_of(listing)) as kind where listing.status = 'active'
$$;

create function served_counted(listing listings, sign int) returns setof served_counts language sql as $$
  select row(place_code, kind, listing.base_cell, lane_of(kind), sign)::served_counts
  from unnest(kinds_of(listing)) as kind, (
    select unnest(listing.service_districts) union select unnest(listing.service_districts) / 100::smallint
  ) as place (place_code)
  where listing.status = 'active'
$$;

-- Rows are locked in key order, so that two statements never wait for each other in a circle.
create function add_base_counts(changes base_counts[]) returns void language sql as $$
  insert into base_counts
  select base_cell, kind, service_radius_km, lane, sum(listings) from unnest(changes)
  group by base_cell, kind, service_radius_km, lane having sum(listings) <> 0
  order by base_cell, kind, service_radius_km, lane
  on conflict (base_cell, kind, service_radius_km, lane) do update set listings = base_counts.listings + excluded.listings
$$;

create function add_served_counts(changes served_counts[]) returns void language sql as $$
  insert into served_counts
  select place_code, kind, base_cell, lane, sum(listings) from unnest(changes)
  group by place_code, kind, base_cell, lane having sum(listings) <> 0
  order by place_code, kind, base_cell, lane
  on conflict (place_code, kind, base_cell, lane) do update set listings = served_counts.listings + excluded.listings
$$;

create function listings_whereabouts() returns trigger language plpgsql as $$
declare
  was listings[] := '{}';
  is_now listings[] := '{}';
begin
  if tg_op = 'INSERT' then
    is_now := array(select row_new::listings from new_rows as row_new);
  elsif tg_op = 'DELETE' then
    was := array(select row_old::listings from old_rows as row_old);
  else
    -- Most changes are of texts, dates and stars, which count nothing here.
    was := array(
      select row_old::listings from old_rows as row_old join new_rows as row_new on row_new.id = row_old.id
      where (row_old.status, row_old.base_cell, row_old.category_code, row_old.sub_category_code, row_old.service_radius_km, row_old.service_districts)
        is distinct from
        (row_new.status, row_new.base_cell, row_new.category_code, row_new.sub_category_code, row_new.service_radius_km, row_new.service_districts)
    );
    is_now := array(select row_new::listings from new_rows as row_new where row_new.id in (select id from unnest(was)));
  end if;
  if cardinality(was) + cardinality(is_now) = 0 then return null; end if;
  perform add_base_counts(array(
    select base_counted(listing, 1) from unnest(is_now) as listing union all select base_counted(listing, -1) from unnest(was) as listing
  ));
  perform add_served_counts(array(
    select served_counted(listing, 1) from unnest(is_now) as listing union all select served_counted(listing, -1) from unnest(was) as listing
  ));
  return null;
end $$;

-- By their names they come after the other triggers that count, whatever is written: two statements take the rows of all counters in one order.
create trigger listings_whereabouts_inserted after insert on listings
  referencing new table as new_rows for each statement execute function listings_whereabouts();
create trigger listings_whereabouts_updated after update on listings
  referencing old table as old_rows new table as new_rows for each statement execute function listings_whereabouts();
create trigger listings_whereabouts_deleted after delete on listings
  referencing old table as old_rows for each statement execute function listings_whereabouts();

-- For bulk loads, which switch the triggers off: the tables anew from the listings.
create function recount_whereabouts() returns void language sql as $$
  truncate base_counts, served_counts;
  insert into base_counts
  select base_cell, kind, coalesce(service_radius_km, 0), 0, count(*)
  from listings, unnest(kinds_of(listings)) as kind where status = 'active' group by 1, 2, 3;
  insert into served_counts
  select place_code, kind, base_cell, 0, count(*)
  from listings, unnest(kinds_of(listings)) as kind, lateral (
    select unnest(service_districts) union select unnest(service_districts) / 100::smallint
  ) as place (place_code)
  where status = 'active' and service_districts is not null group by 1, 2, 3;
$$;
select recount_whereabouts();
