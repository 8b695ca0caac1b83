create table reviews (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listings on delete cascade,
  author_id uuid not null references users,
  rating smallint not null check (rating between 1 and 5),
  comment text not null check (length(comment) between 1 and 250),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  -- The seller's only answer.
  answer text check (length(answer) between 1 and 1000),
  answered_at timestamptz,
  -- Removed by a moderator or withdrawn by its author; the row stays, so that nothing disappears from the record.
  removed_at timestamptz,
  removed_because text check (
    removed_because in ('not_genuine', 'not_about_service', 'offensive', 'private_details', 'rewarded', 'legal', 'withdrawn')
  ),
  unique (listing_id, author_id),
  constraint reviews_answer_time check ((answer is null) = (answered_at is null)),
  constraint reviews_removal_reason check ((removed_at is null) = (removed_because is null))
);
create index reviews_author on reviews (author_id);
create index reviews_published on reviews (listing_id, created_at desc, id desc) where removed_at is null;
create index reviews_stars on reviews (listing_id, rating, created_at desc, id desc) where removed_at is null;
create index reviews_removed on reviews (listing_id, removed_at desc) where removed_at is not null;
create index reviews_parts on reviews using gin (comment gin_trgm_ops, answer gin_trgm_ops);
create index reviews_removed_ones on reviews (id) where removed_at is not null;

-- Keeps the replaced words and stars of a review as a version.
create function review_edited() returns trigger language plpgsql as $$
begin
  -- The update holds the lock of the review, so versions are numbered one after the other.
  insert into review_versions (review_id, version, rating, comment)
  select old.id, coalesce(max(version), 0) + 1, old.rating, old.comment from review_versions where review_id = old.id;
  return null;
end $$;
create trigger review_edited after update of rating, comment on reviews
  for each row when (old.rating is distinct from new.rating or old.comment is distinct from new.comment)
  execute function review_edited();

-- Locks the listing before the foreign key takes its share lock, so that simultaneous reviews of a listing do not deadlock on its
-- counters.
create function review_waits_for_listing() returns trigger language plpgsql as $$
begin
  perform from listings where id = new.listing_id for no key update;
  return new;
end $$;
create trigger review_waits_for_listing before insert on reviews for each row execute function review_waits_for_listing();

-- Publishes the listing when only the words or the answer of a review change.
create function reviews_told() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[new.listing_id]);
  return null;
end $$;
create trigger reviews_told after update of comment, answer on reviews
  for each row when (old.comment is distinct from new.comment or old.answer is distinct from new.answer)
  execute function reviews_told();

-- Deleted, removed and re-rated reviews are recorded in the audit log; one withdrawn by its author is not.
create constraint trigger reviews_audited_gone after delete on reviews deferrable initially deferred
  for each row execute function audit_change('{listing_id,author_id,rating}');
create constraint trigger reviews_audited after update of removed_because, rating on reviews deferrable initially deferred
  for each row when (
    coalesce(old.removed_because, 'withdrawn') <> coalesce(new.removed_because, 'withdrawn') or old.rating <> new.rating
  ) execute function audit_change('{removed_because,rating}');

-- Earlier words and stars of a review, for moderators; written by the trigger on reviews.
create table review_versions (
  review_id uuid not null references reviews on delete cascade,
  version int not null check (version > 0),
  rating smallint not null,
  comment text not null,
  replaced_at timestamptz not null default now(),
  primary key (review_id, version)
);

-- Number of reviews and sum of stars per category and country.
create table category_ratings (
  category_code smallint not null references categories,
  country text not null,
  reviews int not null,
  stars int not null,
  primary key (category_code, country)
);

-- Adds the new stars of a review to the counters and subtracts the old ones; null for none.
create function count_review(listing uuid, taken int, given int) returns void language plpgsql as $$
begin
  -- Locked before the counter of its category, in the same order as a listing that moves to another one.
  perform from listings where id = listing for no key update;
  insert into category_ratings
  select category_code, country, num_nonnulls(given) - num_nonnulls(taken), coalesce(given, 0) - coalesce(taken, 0) from listings where id = listing
  on conflict (category_code, country)
  do update set reviews = category_ratings.reviews + excluded.reviews, stars = category_ratings.stars + excluded.stars;
  -- In one statement, because every update of a listing publishes it.
  update listings set rating_counts = array(
    select count + (star is not distinct from given)::int - (star is not distinct from taken)::int
    from unnest(rating_counts) with ordinality as counted (count, star) order by star
  ) where id = listing;
end $$;

-- Counts published reviews in listings.rating_counts and category_ratings.
create function reviews_changed() returns trigger language plpgsql as $$
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
create trigger reviews_changed after insert or delete or update of rating, listing_id, removed_at on reviews
  for each row execute function reviews_changed();

-- A listing's stars are counted in the category and country that it is in now. Nested loops are off as in publish_listing_changes().
create function listing_ratings_moved() returns trigger language plpgsql set enable_nestloop = off as $$
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
  -- In key order, so that two statements cannot deadlock.
  order by code, of_country
  on conflict (category_code, country)
  do update set reviews = category_ratings.reviews + excluded.reviews, stars = category_ratings.stars + excluded.stars;
  return null;
end $$;
create trigger listing_ratings_moved after update on listings
  referencing old table as old_rows new table as new_rows for each statement execute function listing_ratings_moved();

-- The stars of a deleted listing are no longer counted.
create function listing_ratings_deleted() returns trigger language plpgsql as $$
begin
  insert into category_ratings
  select category_code, country, -sum(reviews), -sum(stars)
  from old_rows, lateral (
    select sum(count) as reviews, sum(count * star) as stars from unnest(rating_counts) with ordinality as counted (count, star)
  ) as rated
  group by category_code, country having sum(reviews) > 0
  -- In key order, so that two statements cannot deadlock.
  order by category_code, country
  on conflict (category_code, country)
  do update set reviews = category_ratings.reviews + excluded.reviews, stars = category_ratings.stars + excluded.stars;
  return null;
end $$;
create trigger listing_ratings_deleted after delete on listings
  referencing old table as old_rows for each statement execute function listing_ratings_deleted();

-- Rebuilds both counters after a bulk load that has disabled the triggers.
create function recount_reviews() returns void language sql as $$
  update listings set rating_counts = counted.counts
  from (
    select listings.id as listing_id, array[
      count(reviews.id) filter (where rating = 1), count(reviews.id) filter (where rating = 2), count(reviews.id) filter (where rating = 3),
      count(reviews.id) filter (where rating = 4), count(reviews.id) filter (where rating = 5)
    ]::int[] as counts
    from listings left join reviews on listings.id = reviews.listing_id and removed_at is null
    where listings.id in (select listing_id from reviews)
    group by listings.id
  ) as counted
  where counted.listing_id = listings.id and listings.rating_counts <> counted.counts;
  delete from category_ratings;
  insert into category_ratings
  select category_code, country, count(*), sum(rating) from reviews join listings on listings.id = listing_id
  where removed_at is null group by 1, 2;
$$;
