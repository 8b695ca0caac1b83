alter table reviews
  add column edited_at timestamptz,
  -- The seller's one answer.
  add column answer text check (length(answer) between 1 and 1000),
  add column answered_at timestamptz,
  -- Taken from the public, by a moderator for a reason or by its author. The row stays, so that the ledger is complete.
  add column removed_at timestamptz,
  add column removed_because text check (
    removed_because in ('not_genuine', 'not_about_service', 'offensive', 'private_details', 'rewarded', 'legal', 'withdrawn')
  ),
  add constraint reviews_answer_time check ((answer is null) = (answered_at is null)),
  add constraint reviews_removal_reason check ((removed_at is null) = (removed_because is null));

create index reviews_published on reviews (listing_id, created_at desc, id desc) where removed_at is null;
create index reviews_stars on reviews (listing_id, rating, created_at desc, id desc) where removed_at is null;
drop index reviews_newest;
create index reviews_removed on reviews (listing_id, removed_at desc) where removed_at is not null;

-- Earlier words of a review, for moderators. Written by the trigger below and by nobody else.
create table review_versions (
  review_id uuid not null references reviews on delete cascade,
  version int not null check (version > 0),
  rating smallint not null,
  comment text not null,
  replaced_at timestamptz not null default now(),
  primary key (review_id, version)
);

create function review_edited() returns trigger language plpgsql as $$
begin
  -- The row is locked by the update, so versions are numbered one after the other.
  insert into review_versions (review_id, version, rating, comment)
  select old.id, coalesce(max(version), 0) + 1, old.rating, old.comment from review_versions where review_id = old.id;
  return null;
end $$;
create trigger review_edited after update of rating, comment on reviews
  for each row when (old.rating is distinct from new.rating or old.comment is distinct from new.comment)
  execute function review_edited();

-- As before, but what was removed does not count.
create or replace function reviews_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.removed_at is null then
    update listings set rating_counts[old.rating] = rating_counts[old.rating] - 1 where id = old.listing_id;
    perform add_category_rating(old.listing_id, -1, old.rating);
  end if;
  if tg_op <> 'DELETE' and new.removed_at is null then
    update listings set rating_counts[new.rating] = rating_counts[new.rating] + 1 where id = new.listing_id;
    perform add_category_rating(new.listing_id, 1, new.rating);
  end if;
  return null;
end $$;
drop trigger reviews_changed on reviews;
create trigger reviews_changed after insert or delete or update of rating, listing_id, removed_at on reviews
  for each row execute function reviews_changed();

-- Two reviews of one listing at once would wait for each other in a circle: each holds the share of the listing that its
-- foreign key takes while its trigger wants to change the listing's counts. So each waits for the listing before it has any part of it.
create function review_waits_for_listing() returns trigger language plpgsql as $$
begin
  perform from listings where id = new.listing_id for no key update;
  return new;
end $$;
create trigger review_waits_for_listing before insert on reviews for each row execute function review_waits_for_listing();

-- The page of a listing shows words, answers and stubs as well: it is told anew where only they change.
create function reviews_told() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[new.listing_id]);
  return null;
end $$;
create trigger reviews_told after update of comment, answer on reviews
  for each row when (old.comment is distinct from new.comment or old.answer is distinct from new.answer)
  execute function reviews_told();

create or replace function recount_reviews() returns void language sql as $$
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
