-- The day on which the work of a quote starts; customers are asked how it went ten days later.
alter table quotes add column starts_on date;

-- The day is part of what was offered.
drop trigger quotes_fixed on quotes;
create trigger quotes_fixed before update on quotes for each row
  when (old.status = 'accepted' or
    (old.conversation_id, old.number, old.client_id, old.kind, old.country, old.gst_included, old.total_minor, old.notes, old.valid_until, old.expires_at, old.sent_at, old.starts_on)
    is distinct from
    (new.conversation_id, new.number, new.client_id, new.kind, new.country, new.gst_included, new.total_minor, new.notes, new.valid_until, new.expires_at, new.sent_at, new.starts_on))
  execute function refuse_quote_change();

-- Publishes the listing when an author of one of its reviews accepts a quote, because the review shows it.
create function evidence_agreed() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[talk.listing_id]) from conversations as talk
  where talk.id = new.conversation_id and exists (
    select from reviews where listing_id = talk.listing_id and author_id = talk.buyer_id and removed_at is null
  );
  return null;
end $$;
create trigger evidence_agreed after update of status on quotes
  for each row when (new.status = 'accepted' and old.status <> 'accepted') execute function evidence_agreed();

-- Conversations whose customer was asked for a review: once each, all customers alike.
create table review_invitations (
  conversation_id uuid primary key references conversations on delete cascade,
  invited_at timestamptz not null,
  because text not null check (because in ('quote', 'messages'))
);
create index review_invitations_month on review_invitations (invited_at);
