-- Whatever changes what stars count takes the rows of the counters in one order: the listing, then the stars of groups, then what else listings
-- are counted by. Before, a review took the stars of its group last and a listing that moved to another group took them first, so that the two
-- could wait for each other in a circle; and so could two listings that changed groups with each other.

-- What one review takes from the counts of its listing, and what it gives: stars, or null.
create function count_review(listing uuid, taken int, given int) returns void language plpgsql as $$
begin
  -- Before the stars of its group, as whoever moves it there does.
  perform from listings where id = listing for no key update;
  insert into category_ratings
  select category_code, country, num_nonnulls(given) - num_nonnulls(taken), coalesce(given, 0) - coalesce(taken, 0) from listings where id = listing
  on conflict (category_code, country)
  do update set reviews = category_ratings.reviews + excluded.reviews, stars = category_ratings.stars + excluded.stars;
  -- In one statement, because each takes the rows of all other counters.
  update listings set rating_counts = array(
    select count + (star is not distinct from given)::int - (star is not distinct from taken)::int
    from unnest(rating_counts) with ordinality as counted (count, star) order by star
  ) where id = listing;
end $$;

create or replace function reviews_changed() returns trigger language plpgsql as $$
declare
  taken int := case when tg_op <> 'INSERT' and old.removed_at is null then old.rating end;
  given int := case when tg_op <> 'DELETE' and new.removed_at is null then new.rating end;
begin
  if tg_op = 'UPDATE' and old.listing_id <> new.listing_id then
    if taken is not null then perform count_review(old.listing_id, taken, null); end if;
    if given is not null then perform count_review(new.listing_id, null, given); end if;
  elsif num_nonnulls(taken, given) > 0 then
    perform count_review(case tg_op when 'INSERT' then new.listing_id else old.listing_id end, taken, given);
  end if;
  return null;
end $$;
drop function add_category_rating(uuid, int, int);

create or replace function listing_ratings_moved() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  insert into category_ratings
  with moved as (
    select row_old.category_code as from_code, row_old.country as from_country, row_new.category_code, row_new.country, row_new.rating_counts
    from old_rows as row_old join new_rows as row_new on row_new.id = row_old.id
    where (row_old.category_code, row_old.country) is distinct from (row_new.category_code, row_new.country)
  )
  select code, of_country, sum(sign * reviews), sum(sign * stars)
  from moved, lateral (
    select sum(count) as reviews, sum(count * star) as stars from unnest(rating_counts) with ordinality as counted (count, star)
  ) as rated, lateral (values (from_code, from_country, -1), (category_code, country, 1)) as place (code, of_country, sign)
  where reviews > 0
  group by code, of_country
  -- In key order, so that two statements never wait for each other in a circle.
  order by code, of_country
  on conflict (category_code, country)
  do update set reviews = category_ratings.reviews + excluded.reviews, stars = category_ratings.stars + excluded.stars;
  return null;
end $$;
