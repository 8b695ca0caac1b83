-- Photos that an author takes out of a review are deleted: its earlier versions, which moderators can read, keep words and stars only.
create or replace function review_edited() returns trigger language plpgsql as $$
begin
  -- The update holds the lock of the review, so versions are numbered one after the other.
  insert into review_versions (review_id, version, rating, comment)
  select old.id, coalesce(max(version), 0) + 1, old.rating, old.comment from review_versions where review_id = old.id;
  return null;
end $$;
drop trigger review_edited on reviews;
create trigger review_edited after update of rating, comment on reviews
  for each row when (old.rating is distinct from new.rating or old.comment is distinct from new.comment) execute function review_edited();

update files set state = 'unattached', changed_at = now()
where state = 'attached'
  and key in (select picture ->> 'key' from review_versions cross join jsonb_array_elements(pictures) as picture)
  and key not in (select picture ->> 'key' from reviews cross join jsonb_array_elements(pictures) as picture);
-- Only the trigger used it, in the version before too.
-- squawk-ignore ban-drop-column
alter table review_versions drop column pictures;
