-- A review says whether its author wrote to the seller about that listing and was answered. That is read from the conversation, so the
-- kept page of the listing is made anew when one begins or is first answered after the review. Of other conversations no page shows anything.
create function evidence_changed() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[new.listing_id])
  where exists (select from reviews where listing_id = new.listing_id and author_id = new.buyer_id and removed_at is null);
  return null;
end $$;
create trigger evidence_begun after insert on conversations for each row execute function evidence_changed();
create trigger evidence_answered after update of answered_at on conversations
  for each row when (old.answered_at is distinct from new.answered_at) execute function evidence_changed();
