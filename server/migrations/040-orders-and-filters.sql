-- Orders and filters of a search. What a listing is filtered by stands in one small number, so that one table of counts answers how many
-- listings each combination of filters has, and one index finds them.

-- The average of each group's reviews in tenths of a star, taken once a day from category_ratings: what scores are reckoned with, so
-- that one review does not change the place of a whole group.
create table category_means (
  category_code smallint primary key references categories,
  mean smallint not null check (mean between 10 and 50),
  changed_at timestamptz not null
);
insert into category_means
select category_code, round(10.0 * sum(stars) / sum(reviews)), now() from category_ratings
where category_code in (select code from categories) group by category_code having sum(reviews) > 0;

alter table listings
  -- The mean of category_means that its score is reckoned with. Four stars until the group has reviews.
  add column group_mean smallint not null default 40 check (group_mean between 10 and 50),
  -- Its seller usually answers within a day. Kept by a daily job.
  add column answers_within_day boolean not null default false;

alter table listings disable trigger user;
update listings set group_mean = mean from category_means
where category_means.category_code = listings.category_code and group_mean <> mean;
alter table listings enable trigger user;

alter table listings
  -- The order "Best rated": `bestScore` of the contract to five decimals, and between equals the list's order. Unique, and sort_key is
  -- what is left of it after division by 10^13.
  add column rating_key bigint not null generated always as (
    (50000::bigint * group_mean + 100000::bigint * (
      rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5]
    )) / (5 + rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5]) * 10000000000000
    + plan_rank * 1000000000000 + listing_number
  ) stored,
  -- rating * 64 + verified * 32 + photos * 16 + answers within a day * 8 + price. rating: how many of 3, 3.5, 4 and 4.5 stars its average
  -- reaches as it is shown, with one decimal. price: which of the limits of `priceChoices` of the contract is the first that the
  -- price from which it works does not exceed, 7 where it names none.
  add column evidence_cell smallint not null generated always as ((
    64 * case when rating_counts = '{0,0,0,0,0}' then 0 else
      (20 * (rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5])
        >= 59 * (rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5]))::int
      + (20 * (rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5])
        >= 69 * (rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5]))::int
      + (20 * (rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5])
        >= 79 * (rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5]))::int
      + (20 * (rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5])
        >= 89 * (rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5]))::int
      end
    + 32 * verified::int + 16 * (pictures <> '[]')::int + 8 * answers_within_day::int
    + case
        when price_from_minor is null then 7
        when price_from_minor <= 5000 then 0
        when price_from_minor <= 10000 then 1
        when price_from_minor <= 15000 then 2
        when price_from_minor <= 25000 then 3
        when price_from_minor <= 50000 then 4
        when price_from_minor <= 100000 then 5
        else 6
      end
  )::smallint) stored;

-- The score follows the group.
create function listings_group_mean() returns trigger language plpgsql as $$
begin
  new.group_mean := coalesce((select mean from category_means where category_code = new.category_code), 40);
  return new;
end $$;
create trigger listings_group_mean before insert or update of category_code on listings
  for each row execute function listings_group_mean();

drop index listings_best;
-- Walks in the order of scores: of all, of a region, of a group. What else a list is narrowed to is read from the index too.
create index listings_rating on listings (rating_key desc)
  include (region_code, district_code, category_code, sub_category_code, evidence_cell) where status = 'active';
create index listings_rating_r on listings (region_code, rating_key desc)
  include (district_code, category_code, sub_category_code, evidence_cell) where status = 'active';
create index listings_rating_g on listings (category_code, rating_key desc)
  include (region_code, district_code, sub_category_code, evidence_cell) where status = 'active';
-- All that pass some filters, wherever they stand in an order: few rows of many.
create index listings_evidence on listings (evidence_cell, region_code, category_code)
  include (district_code, sub_category_code, price_from_minor, rating_key) where status = 'active';
create index listings_answering on listings (seller_id) where answers_within_day;

-- Active listings by what they are filtered by: in each district and sub-category (0: none chosen), and summed for each region and group.
create table listing_district_cells (
  district_code smallint not null,
  category_code smallint not null,
  sub_category_code smallint not null,
  evidence_cell smallint not null,
  region_code smallint not null,
  listings int not null,
  primary key (district_code, category_code, sub_category_code, evidence_cell)
);
create index listing_district_cells_sub on listing_district_cells (sub_category_code, region_code);
create table listing_cells (
  region_code smallint not null,
  category_code smallint not null,
  evidence_cell smallint not null,
  listings int not null,
  primary key (region_code, category_code, evidence_cell)
);

-- As add_listing_counts: in the transaction of the change, rows locked in key order.
create function add_listing_cells(changes listing_district_cells[]) returns void language sql as $$
  insert into listing_district_cells
  select district_code, category_code, sub_category_code, evidence_cell, region_code, sum(listings) from unnest(changes)
  group by district_code, category_code, sub_category_code, evidence_cell, region_code
  having sum(listings) <> 0
  order by district_code, category_code, sub_category_code, evidence_cell
  on conflict (district_code, category_code, sub_category_code, evidence_cell)
  do update set listings = listing_district_cells.listings + excluded.listings;
  insert into listing_cells
  select region_code, category_code, evidence_cell, sum(listings) from unnest(changes)
  group by region_code, category_code, evidence_cell
  having sum(listings) <> 0
  order by region_code, category_code, evidence_cell
  on conflict (region_code, category_code, evidence_cell)
  do update set listings = listing_cells.listings + excluded.listings
$$;

create function cell_of(listing listings, sign int) returns listing_district_cells language sql immutable as $$
  select row(
    listing.district_code, listing.category_code, coalesce(listing.sub_category_code, 0), listing.evidence_cell, listing.region_code,
    case listing.status when 'active' then sign else 0 end
  )::listing_district_cells
$$;

create function listings_cells_inserted() returns trigger language plpgsql as $$
begin
  perform add_listing_cells(array(select cell_of(row_new, 1) from new_rows as row_new));
  return null;
end $$;

create function listings_cells_updated() returns trigger language plpgsql as $$
begin
  perform add_listing_cells(array(
    select cell_of(row_new, 1) from new_rows as row_new union all select cell_of(row_old, -1) from old_rows as row_old
  ));
  return null;
end $$;

create function listings_cells_deleted() returns trigger language plpgsql as $$
begin
  perform add_listing_cells(array(select cell_of(row_old, -1) from old_rows as row_old));
  return null;
end $$;

create trigger listings_cells_inserted after insert on listings
  referencing new table as new_rows for each statement execute function listings_cells_inserted();
create trigger listings_cells_updated after update on listings
  referencing old table as old_rows new table as new_rows for each statement execute function listings_cells_updated();
create trigger listings_cells_deleted after delete on listings
  referencing old table as old_rows for each statement execute function listings_cells_deleted();

-- As recount_listings, for these tables.
create function recount_cells() returns void language sql as $$
  truncate listing_district_cells, listing_cells;
  insert into listing_district_cells
  select district_code, category_code, coalesce(sub_category_code, 0), evidence_cell, region_code, count(*)
  from listings where status = 'active' group by 1, 2, 3, 4, 5;
  insert into listing_cells
  select region_code, category_code, evidence_cell, sum(listings) from listing_district_cells group by 1, 2, 3;
$$;
select recount_cells();
