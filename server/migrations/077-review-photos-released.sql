-- A photo that an update takes out of a review is released for clean-up, also by an older server during an upgrade, which kept them.
create function review_photos_released() returns trigger language plpgsql as $$
begin
  update files set state = 'unattached', changed_at = now()
  where state = 'attached'
    and key in (select picture ->> 'key' from jsonb_array_elements(old.pictures) as picture)
    and key not in (select picture ->> 'key' from jsonb_array_elements(new.pictures) as picture);
  return null;
end $$;
create trigger review_photos_released after update of pictures on reviews
  for each row when (old.pictures is distinct from new.pictures) execute function review_photos_released();
