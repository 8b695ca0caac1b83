-- Messages of the contact form, stored in case the notifying email is lost.
create table contact_messages (
  id uuid primary key default uuidv7(),
  full_name text not null,
  email text not null,
  website text not null default '',
  message text not null,
  created_at timestamptz not null default now()
);
create index contact_messages_age on contact_messages (created_at);
-- Finds the messages of an account by its address.
create index contact_messages_address on contact_messages (lower(email));
