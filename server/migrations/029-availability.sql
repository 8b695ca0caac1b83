-- When the business says that it has time: midnights in the listing's time zone. It ends by itself, because every reader compares it with the clock.
alter table listings
  add column available_from timestamptz,
  add column available_until timestamptz
    constraint listings_available check ((available_from is null) = (available_until is null) and available_from < available_until),
  add column booked_until timestamptz
    constraint listings_booked check (booked_until is null or available_until is null);

-- The one reminder of each availability; deleted when it is sent, and replaced or deleted when the seller says something else.
create table availability_reminders (
  listing_id uuid primary key references listings on delete cascade,
  remind_at timestamptz not null
);
create index availability_reminders_due on availability_reminders (remind_at);
