-- What many listings that change together cost servers, and what counting them costs.

-- Who is told that many have changed reads everything anew and drops all that is kept; named, two thousand are a moment's work. Batches of
-- plans that end (server/src/domains/selling/selling.expiry.ts) stay below that.
create or replace function notify_listings(ids uuid[]) returns void language sql as $$
  select tell('listings', case when cardinality(ids) <= 2000 then to_jsonb(ids) else '"many"' end) where cardinality(ids) > 0
$$;

-- Stable as what it calls: only then does PostgreSQL make it part of the query that calls it, instead of calling it for each row.
create or replace function list_place(listing listings) returns jsonb language sql stable as $$
  select case when listing.status = 'active' then jsonb_build_array(
    listing.country, listing.region_code, listing.district_code, listing.base_cell,
    listing.main_category, listing.category_code, listing.sub_category_code
  ) end
$$;

-- As before, with the higher limit. A connection keeps the plan that it made for its first statement, hence no nested loop.
create or replace function listings_lists() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  told jsonb[];
begin
  if tg_op = 'INSERT' then
    told := array(
      select jsonb_build_array(7, null, list_place(row_new)) from new_rows as row_new where row_new.status = 'active' limit 2001
    );
  elsif tg_op = 'DELETE' then
    told := array(
      select jsonb_build_array(7, list_place(row_old), null) from old_rows as row_old where row_old.status = 'active' limit 2001
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
      where what > 0 limit 2001
    );
  end if;
  if cardinality(told) > 0 then
    perform tell('lists', case when cardinality(told) <= 2000 then to_jsonb(told) else '"many"' end);
  end if;
  return null;
end $$;

-- A counter that finds room on its own page for its next value leaves the indexes alone (a heap-only update); with full pages none did, and each
-- change of a common word was written into three indexes, one of trigrams. Pages that are full make room as their rows move.
alter table search_words set (fillfactor = 50);
alter table search_word_counts set (fillfactor = 50);
alter table listing_cells set (fillfactor = 50);
alter table listing_district_cells set (fillfactor = 50);
alter table base_counts set (fillfactor = 50);
alter table served_counts set (fillfactor = 50);
