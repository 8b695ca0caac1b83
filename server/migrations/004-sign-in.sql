-- Authenticator apps; no code is asked for until the first one has been entered.
create table authenticators (
  user_id uuid primary key references users on delete cascade,
  -- Base32.
  secret text check (secret ~ '^[A-Z2-7]{32}$'),
  confirmed_at timestamptz,
  -- The newest 30-second step whose code was used; it and earlier ones are refused.
  used_step bigint not null default 0,
  key_id text,
  sealed bytea,
  constraint authenticators_sealed check (num_nonnulls(key_id, sealed) in (0, 2) and num_nonnulls(secret, sealed) = 1)
);

-- An unconfirmed authenticator protects nothing, so it is not recorded.
create constraint trigger authenticators_audited_new after insert on authenticators deferrable initially deferred
  for each row when (new.confirmed_at is not null) execute function audit_change('{user_id,confirmed_at}');
create constraint trigger authenticators_audited after update of user_id, secret, sealed, confirmed_at on authenticators
  deferrable initially deferred
  for each row when (
    num_nonnulls(old.confirmed_at, new.confirmed_at) > 0
    and (old.user_id, old.secret, old.sealed, old.confirmed_at) is distinct from (new.user_id, new.secret, new.sealed, new.confirmed_at)
  ) execute function audit_change('{user_id,confirmed_at}', '{secret,sealed}');
create constraint trigger authenticators_audited_gone after delete on authenticators deferrable initially deferred
  for each row when (old.confirmed_at is not null) execute function audit_change('{user_id,confirmed_at}');

-- Single-use recovery codes; at 117 random bits each, a plain hash is enough.
create table recovery_codes (
  code_hash bytea primary key check (length(code_hash) = 32),
  user_id uuid not null references users on delete cascade
);
create index recovery_codes_user on recovery_codes (user_id);

create table passkeys (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique check (length(credential_id) between 1 and 1400),
  public_key bytea not null,
  -- The device's signature counter; a lower one means a cloned key.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  -- The relying party (site) that it belongs to.
  rp_id text not null,
  name text not null check (length(name) between 1 and 60),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- New, changed and deleted passkeys are recorded in the audit log.
create constraint trigger passkeys_audited_new after insert or delete on passkeys deferrable initially deferred
  for each row execute function audit_change('{user_id,rp_id}');
create constraint trigger passkeys_audited after update of user_id, credential_id, public_key, rp_id on passkeys deferrable initially deferred
  for each row when (
    (old.user_id, old.credential_id, old.public_key, old.rp_id) is distinct from (new.user_id, new.credential_id, new.public_key, new.rp_id)
  ) execute function audit_change('{user_id,rp_id}', '{credential_id,public_key}');

-- Challenges sent to browsers; each is answered once, and only the hash of its token is stored.
create table sign_in_challenges (
  token_hash bytea primary key check (length(token_hash) = 32),
  purpose text not null check (purpose in ('second-step', 'new-passkey', 'passkey-sign-in', 'passkey-second-step', 'passkey-confirm')),
  -- Null when signing in with a passkey, whose answer names the user.
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null,
  check ((user_id is null) = (purpose = 'passkey-sign-in'))
);
create index sign_in_challenges_user on sign_in_challenges (user_id);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);
