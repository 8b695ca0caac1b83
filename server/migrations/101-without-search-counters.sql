-- What answered searches before 100: counters and their triggers, the packed filter column, words as facets, one index for each pair of place and
-- category.
drop trigger listings_inserted on listings;
drop trigger listings_updated on listings;
drop trigger listings_deleted on listings;
drop trigger listings_cells_inserted on listings;
drop trigger listings_cells_updated on listings;
drop trigger listings_cells_deleted on listings;
drop trigger listings_lists_inserted on listings;
drop trigger listings_lists_updated on listings;
drop trigger listings_lists_deleted on listings;
drop trigger listings_whereabouts_inserted on listings;
drop trigger listings_whereabouts_updated on listings;
drop trigger listings_whereabouts_deleted on listings;
drop trigger listings_group_mean on listings;
drop trigger listings_group_moved on listings;

drop function listings_inserted(), listings_updated(), listings_deleted(), listings_cells_inserted(), listings_cells_updated(),
  listings_cells_deleted(), listings_lists(), listings_whereabouts(), listings_group_mean(), listings_group_moved(), list_place(listings),
  recount_listings(), recount_cells(), recount_whereabouts();
drop function add_base_counts(base_counts[]), add_served_counts(served_counts[]), add_listing_cells(listing_district_cells[]),
  add_listing_counts(listing_counts[]), add_search_words(search_words[], search_word_counts[]), base_counted(listings, int),
  served_counted(listings, int), cell_of(listings, int), count_of(listings, int), forms_counted(listings, int), words_counted(listings, int),
  kinds_of(listings), lane_of(smallint);
-- allowed: nothing is deployed, so no server of a version before runs beside it.
drop table listing_counts, listing_cells, listing_district_cells, base_counts, served_counts, search_words, search_word_counts;

-- allowed: nothing is deployed, so no server of a version before runs beside it.
alter table listings
  drop column search_vector,
  drop column evidence_cell,
  drop column rating_key,
  drop column base_cell,
  drop constraint listings_sort_key_key;
drop function tokens_of(text, text, text[]), form_of(text), words_of(text);
-- The other indexes went with their columns.
-- allowed: nothing is deployed, so no server of a version before runs beside it.
drop index listings_all, listings_m, listings_g, listings_s, listings_c, listings_cm, listings_cg, listings_cs, listings_r, listings_rm,
  listings_rg, listings_rs, listings_d, listings_dm, listings_dg, listings_ds, listings_answering;

comment on column listings.sort_key is 'The order of every list: plan rank, then the newest.';
comment on column listings.group_mean is
  'The mean of category_means that its score is worked out with: written with the listing, and by a daily job where the group''s has changed.';
comment on table listings is
  'Each change of a row is published to every server. Counters that change often (views, saves, messages) belong into tables of their own.';

-- Publishes every change of listings: their ids, and where they were and are listed, so that servers drop what they cache of them. Many changes
-- are published as such.
create function publish_listing_changes() returns trigger language plpgsql as $$
declare
  ids uuid[] := '{}';
  lists jsonb[];
begin
  if tg_op = 'DELETE' then
    select array_agg(id), array_agg(jsonb_build_array(listed_in(old_rows::listings), null)) filter (where status = 'active') into ids, lists from old_rows;
  elsif tg_op = 'INSERT' then
    select array_agg(id), array_agg(jsonb_build_array(null, listed_in(new_rows::listings))) filter (where status = 'active') into ids, lists from new_rows;
  else
    select array_agg(id), array_agg(jsonb_build_array(was, is_now)) filter (where was is not null or is_now is not null) into ids, lists
    from (
      select new_rows.id, listed_in(old_rows::listings) as was, listed_in(new_rows::listings) as is_now
      from old_rows join new_rows on new_rows.id = old_rows.id
    ) as changed;
  end if;
  perform notify_listings(ids);
  if cardinality(lists) > 0 then
    perform tell('lists', case when cardinality(lists) <= 2000 then to_jsonb(lists) else '"many"' end);
  end if;
  return null;
end $$;
-- A connection keeps the plan that it made for its first statement. Made for one row, it would compare each of a thousand rows with each.
alter function publish_listing_changes() set enable_nestloop = off;

-- Where an active listing is listed; null for others.
create function listed_in(listing listings) returns jsonb language sql stable as $$
  select case when listing.status = 'active' then jsonb_build_array(
    listing.country, listing.region_code, listing.district_code, listing.main_category, listing.category_code, listing.sub_category_code
  ) end
$$;

create trigger listings_published_inserted after insert on listings
  referencing new table as new_rows for each statement execute function publish_listing_changes();
create trigger listings_published_updated after update on listings
  referencing old table as old_rows new table as new_rows for each statement execute function publish_listing_changes();
create trigger listings_published_deleted after delete on listings
  referencing old table as old_rows for each statement execute function publish_listing_changes();

-- An alert is matched by the search itself: of what it asks only its filter and words are stored.
-- allowed: nothing is deployed, so no server of a version before runs beside it.
update alerts set filter = (filter - 'evidence') || coalesce(jsonb_build_object('values', filter -> 'evidence'), '{}')
where filter ? 'evidence';
-- allowed: nothing is deployed, so no server of a version before runs beside it.
delete from alerts where filter ? 'serves' or filter -> 'place' ->> 'level' = 'town';
-- allowed: nothing is deployed, so no server of a version before runs beside it.
alter table alerts
  drop column place,
  drop column services,
  drop column least_cell,
  drop column cell_flags,
  drop column price_cell,
  drop column max_price,
  drop column reach;
