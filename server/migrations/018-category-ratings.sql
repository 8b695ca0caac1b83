-- The stars of a listing belong to the group and country that it is in now: they go along when it moves, and away with it. The
-- trigger on reviews counts single reviews; these take all stars of a listing at once.
create function add_listing_ratings(changes listings[], sign int) returns void language sql as $$
  insert into category_ratings
  select category_code, country, sign * sum(reviews), sign * sum(stars)
  from unnest(changes) as listing, lateral (
    select sum(count) as reviews, sum(count * star) as stars from unnest(listing.rating_counts) with ordinality as counted (count, star)
  ) as rated
  group by category_code, country having sum(reviews) > 0
  -- In key order, so that two statements never wait for each other in a circle.
  order by category_code, country
  on conflict (category_code, country)
  do update set reviews = category_ratings.reviews + excluded.reviews, stars = category_ratings.stars + excluded.stars
$$;

create function listing_ratings_moved() returns trigger language plpgsql as $$
begin
  perform add_listing_ratings(array(
    select row_old::listings from old_rows as row_old join new_rows as row_new on row_new.id = row_old.id
    where (row_old.category_code, row_old.country) is distinct from (row_new.category_code, row_new.country)
  ), -1);
  perform add_listing_ratings(array(
    select row_new::listings from new_rows as row_new join old_rows as row_old on row_new.id = row_old.id
    where (row_old.category_code, row_old.country) is distinct from (row_new.category_code, row_new.country)
  ), 1);
  return null;
end $$;
create trigger listing_ratings_moved after update on listings
  referencing old table as old_rows new table as new_rows for each statement execute function listing_ratings_moved();

create function listing_ratings_deleted() returns trigger language plpgsql as $$
begin
  perform add_listing_ratings(array(select row_old::listings from old_rows as row_old), -1);
  return null;
end $$;
create trigger listing_ratings_deleted after delete on listings
  referencing old table as old_rows for each statement execute function listing_ratings_deleted();

-- What has drifted before.
select recount_reviews();
