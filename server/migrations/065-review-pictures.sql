-- Photos of a customer, in the format of listings.pictures; those of earlier versions stay for moderators.
alter table reviews add column pictures jsonb not null default '[]';
alter table review_versions add column pictures jsonb not null default '[]';
-- Checked on what is written from now on; what is there are the defaults.
alter table reviews add constraint reviews_pictures check (jsonb_typeof(pictures) = 'array' and jsonb_array_length(pictures) <= 5) not valid;

create or replace function review_edited() returns trigger language plpgsql as $$
begin
  -- The update holds the lock of the review, so versions are numbered one after the other.
  insert into review_versions (review_id, version, rating, comment, pictures)
  select old.id, coalesce(max(version), 0) + 1, old.rating, old.comment, old.pictures from review_versions where review_id = old.id;
  return null;
end $$;
drop trigger review_edited on reviews;
create trigger review_edited after update of rating, comment, pictures on reviews
  for each row when (
    old.rating is distinct from new.rating or old.comment is distinct from new.comment or old.pictures is distinct from new.pictures
  ) execute function review_edited();

drop trigger reviews_told on reviews;
create trigger reviews_told after update of comment, answer, pictures on reviews
  for each row when (
    old.comment is distinct from new.comment or old.answer is distinct from new.answer or old.pictures is distinct from new.pictures
  ) execute function reviews_told();
