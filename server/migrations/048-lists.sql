-- Beside the ids of changed listings every server is told in which lists they stood and stand, and what of it changed, so that a change
-- drops the lists that it changes and no others (server/src/domains/listings/listings.shown.ts).

-- Where an active listing stands; null for others, which stand in no list.
create function list_place(listing listings) returns jsonb language sql immutable as $$
  select case when listing.status = 'active' then jsonb_build_array(
    listing.country, listing.region_code, listing.district_code, listing.base_cell,
    listing.main_category, listing.category_code, listing.sub_category_code
  ) end
$$;

-- For each listing whose lists change: what (1: that it stands there, or where in the order; 2: what it is filtered and ordered by;
-- 4: its words), where it stood, where it stands.
create function listings_lists() returns trigger language plpgsql as $$
declare
  told jsonb[];
begin
  if tg_op = 'INSERT' then
    told := array(
      select jsonb_build_array(7, null, list_place(row_new)) from new_rows as row_new where row_new.status = 'active' limit 101
    );
  elsif tg_op = 'DELETE' then
    told := array(
      select jsonb_build_array(7, list_place(row_old), null) from old_rows as row_old where row_old.status = 'active' limit 101
    );
  else
    told := array(
      select jsonb_build_array(what, was, is_now) from (
        select
          was, is_now,
          case when was is distinct from is_now then 7 else
            (row_old.sort_key <> row_new.sort_key)::int
            + 2 * ((row_old.evidence_cell, row_old.rating_key, row_old.price_from_minor)
                is distinct from (row_new.evidence_cell, row_new.rating_key, row_new.price_from_minor))::int
            + 4 * ((row_old.search_vector, row_old.service_title, row_old.business_title)
                is distinct from (row_new.search_vector, row_new.service_title, row_new.business_title))::int
          end as what
        from old_rows as row_old join new_rows as row_new on row_new.id = row_old.id,
          lateral (select list_place(row_old) as was, list_place(row_new) as is_now) as place
        where was is not null or is_now is not null
      ) as changed
      where what > 0 limit 101
    );
  end if;
  if cardinality(told) > 0 then
    perform tell('lists', case when cardinality(told) <= 100 then to_jsonb(told) else '"many"' end);
  end if;
  return null;
end $$;

create trigger listings_lists_inserted after insert on listings
  referencing new table as new_rows for each statement execute function listings_lists();
create trigger listings_lists_updated after update on listings
  referencing old table as old_rows new table as new_rows for each statement execute function listings_lists();
create trigger listings_lists_deleted after delete on listings
  referencing old table as old_rows for each statement execute function listings_lists();

-- The page of a listing says when a register last confirmed its business.
create function register_told() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[new.listing_id]);
  return null;
end $$;
create trigger register_told after update on register_checks
  for each row when (old.state = 'verified' and new.state = 'verified') execute function register_told();
