-- Links that were mailed: to confirm an address, or to choose a new password. Only a hash of what stands in the mail is kept.
-- A link that was used is deleted.
create table account_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm', 'reset')),
  -- Where it went. It confirms this address and no other one.
  email citext not null,
  expires_at timestamptz not null
);
create index account_links_user on account_links (user_id, purpose);
create index account_links_expiry on account_links (expires_at);
