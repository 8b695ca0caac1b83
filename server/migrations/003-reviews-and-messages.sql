create table reviews (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listings on delete cascade,
  author_id uuid not null references users,
  rating smallint not null check (rating between 1 and 5),
  comment text not null check (length(comment) between 1 and 250),
  created_at timestamptz not null default now(),
  unique (listing_id, author_id)
);
create index reviews_newest on reviews (listing_id, created_at desc, id desc);
create index reviews_author on reviews (author_id);

-- Sums per category and country, so that the average of a category is a look-up.
create table category_ratings (
  category_code smallint not null references categories,
  country text not null,
  reviews int not null,
  stars int not null,
  primary key (category_code, country)
);

create function add_category_rating(listing uuid, sign int, rating int) returns void language sql as $$
  insert into category_ratings
  select category_code, country, sign, sign * rating from listings where id = listing
  on conflict (category_code, country)
  do update set reviews = category_ratings.reviews + excluded.reviews, stars = category_ratings.stars + excluded.stars
$$;

-- Keeps listings.rating_counts and category_ratings: the only writer of both.
create function reviews_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update listings set rating_counts[old.rating] = rating_counts[old.rating] - 1 where id = old.listing_id;
    perform add_category_rating(old.listing_id, -1, old.rating);
  end if;
  if tg_op <> 'DELETE' then
    update listings set rating_counts[new.rating] = rating_counts[new.rating] + 1 where id = new.listing_id;
    perform add_category_rating(new.listing_id, 1, new.rating);
  end if;
  return null;
end $$;
create trigger reviews_changed after insert or delete or update of rating, listing_id on reviews
  for each row execute function reviews_changed();

-- For bulk loads, which switch the triggers off: both anew from the reviews.
create function recount_reviews() returns void language sql as $$
  update listings set rating_counts = counted.counts
  from (
    select listing_id, array[
      count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
      count(*) filter (where rating = 4), count(*) filter (where rating = 5)
    ]::int[] as counts
    from reviews group by listing_id
  ) as counted
  where counted.listing_id = listings.id and listings.rating_counts <> counted.counts;
  delete from category_ratings;
  insert into category_ratings
  select category_code, country, count(*), sum(rating) from reviews join listings on listings.id = listing_id group by 1, 2;
$$;

create table messages (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listings on delete cascade,
  sender_id uuid not null references users,
  seller_id uuid not null references users,
  subject text not null,
  body text not null check (length(body) between 1 and 2000),
  created_at timestamptz not null default now()
);
create index messages_created on messages (created_at);
create index messages_seller on messages (seller_id, created_at desc);
