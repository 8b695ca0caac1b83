-- Pages show the name and the picture of whoever wrote a review: they are told anew where these change.
create function author_told() returns trigger language plpgsql as $$
begin
  perform notify_listings(array(select listing_id from reviews where author_id = new.id and removed_at is null));
  return null;
end $$;
create trigger author_told after update of full_name, avatar on users
  for each row when (old.full_name <> new.full_name or old.avatar <> new.avatar)
  execute function author_told();
