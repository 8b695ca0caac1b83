alter table attempts
  -- Attempts that are being checked: they hold a place of the limit until it is known whether they were wrong.
  add column pending int not null default 0 check (pending >= 0),
  -- When the next attempt has its turn, where attempts are slowed instead of refused.
  add column next_at timestamptz;

-- Browsers that have signed in as a user. As with sessions, only the hash of what they show is here.
create table devices (
  token_hash bytea check (length(token_hash) = 32),
  user_id uuid references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (token_hash, user_id)
);
create index devices_user on devices (user_id);
create index devices_last_use on devices (last_used_at);
