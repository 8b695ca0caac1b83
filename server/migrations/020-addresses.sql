-- The address of mail that an account is to have: it takes the place of the old one when the link that went there is used. Only a
-- hash of what stands in the mail is kept.
create table address_changes (
  -- One at a time: a new wish takes the place of an old one.
  user_id uuid primary key references users on delete cascade,
  email citext not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null
);
create index address_changes_expiry on address_changes (expires_at);

-- Addresses of mail that stand on somebody's listings. Mails about a listing go there once its owner has shown by a link that they read
-- them; until then they go to the account's.
create table business_addresses (
  user_id uuid not null references users on delete cascade,
  email citext not null,
  -- Of the link that was mailed, until it is used.
  token_hash bytea unique check (length(token_hash) = 32),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (user_id, email),
  constraint business_addresses_link check ((token_hash is null) <> (confirmed_at is null))
);
