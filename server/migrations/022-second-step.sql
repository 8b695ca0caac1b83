-- An app on the phone that makes codes. Until its first code has come it asks nobody for one.
create table authenticators (
  user_id uuid primary key references users on delete cascade,
  -- Base32, as apps take it.
  secret text not null check (secret ~ '^[A-Z2-7]{32}$'),
  confirmed_at timestamptz,
  -- The newest step of 30 seconds whose code was used: neither it nor an earlier one counts again.
  used_step bigint not null default 0
);

-- Codes for a lost phone, each for once. Of 117 random bits each, so that a hash alone is enough.
create table recovery_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  user_id uuid not null references users on delete cascade
);
create index recovery_codes_user on recovery_codes (user_id);

create table passkeys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  credential_id text not null check (length(credential_id) between 1 and 1400),
  public_key bytea not null,
  -- What the device counts. One that goes back is a copy.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  -- The site that it is for: browsers show it to no other.
  rp_id text not null,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint passkeys_credential_id_key unique (credential_id)
);
create index passkeys_user on passkeys (user_id);

-- What was asked of a browser and waits for its answer, which counts once. As with sessions, only a hash is here.
create table sign_in_challenges (
  token_hash bytea primary key check (length(token_hash) = 32),
  purpose text not null check (purpose in ('second-step', 'new-passkey', 'passkey-sign-in', 'passkey-second-step', 'passkey-confirm')),
  -- Who is asked. Whoever signs in with a passkey says so by their answer.
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null,
  check ((user_id is null) = (purpose = 'passkey-sign-in'))
);
create index sign_in_challenges_user on sign_in_challenges (user_id);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);
