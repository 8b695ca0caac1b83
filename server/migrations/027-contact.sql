-- What people wrote to us by the contact form. The mail that tells of it may be lost on its way; this is not.
create table contact_messages (
  id uuid primary key default uuidv7(),
  full_name text not null,
  email text not null,
  website text not null default '',
  message text not null,
  created_at timestamptz not null default now()
);
create index contact_messages_age on contact_messages (created_at);
