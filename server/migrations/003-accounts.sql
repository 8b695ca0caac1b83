create table users (
  id uuid primary key default uuidv7(),
  full_name text not null check (length(full_name) between 1 and 100),
  username citext not null unique check (username::text ~ '^\w{3,20}$'),
  email citext not null unique,
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  avatar text not null default '',
  -- The user's own code; public, not secret.
  referral_code text unique,
  -- The valid code entered at registration, if any.
  referred_by_code text references users (referral_code),
  suspended_at timestamptz,
  created_at timestamptz not null default now(),
  email_confirmed_at timestamptz,
  phone_number text not null default '' check (length(phone_number) <= 20),
  address text not null default '' check (length(address) <= 300),
  about text not null default '' check (length(about) <= 500),
  -- The row of a deleted account stays without personal data, because receipts, reviews and messages reference it.
  deleted_at timestamptz
);
-- Accounts whose code has not become a referral yet.
create index users_referred on users (id) where referred_by_code is not null;
-- Administrators search for any part of a name, an email address or a username.
create index users_parts on users using gin (full_name gin_trgm_ops, (email::text) gin_trgm_ops, (username::text) gin_trgm_ops);
create index users_full_name on users (lower(full_name));
-- Few rows among many, read newest first.
create index users_suspended_ones on users (id) where suspended_at is not null;
create index users_deleted_ones on users (id) where deleted_at is not null;
create index users_administrators on users (id) where role = 'admin';
-- References from tables of earlier files.
alter table user_event_counters add foreign key (user_id) references users on delete cascade;
alter table user_events add foreign key (user_id) references users on delete cascade;
alter table ended_mails add foreign key (user_id) references users on delete cascade;

-- Publishes the listings whose pages show the author of a review when their name or picture changes.
create function author_told() returns trigger language plpgsql as $$
begin
  perform notify_listings(array(select listing_id from reviews where author_id = new.id and removed_at is null));
  return null;
end $$;
create trigger author_told after update of full_name, avatar on users
  for each row when (old.full_name <> new.full_name or old.avatar <> new.avatar)
  execute function author_told();

-- Closes the live-event streams of a user who is suspended.
create function user_suspended() returns trigger language plpgsql as $$
begin
  perform publish_change('sessions', to_jsonb(array[new.id]));
  return null;
end $$;
create trigger user_suspended after update of suspended_at on users
  for each row when (old.suspended_at is null and new.suspended_at is not null) execute function user_suspended();

-- The audit log records that an email address or a password changed, never its value, because the log outlives the account.
create constraint trigger users_audited_new after insert on users deferrable initially deferred
  for each row when (new.role <> 'user') execute function audit_change('{role}');
create constraint trigger users_audited_gone after delete on users deferrable initially deferred
  for each row execute function audit_change('{role}');
create constraint trigger users_audited after update of role, suspended_at, deleted_at, email, email_confirmed_at, password_hash on users
  deferrable initially deferred
  for each row when (
    (old.role, old.suspended_at, old.deleted_at, old.email, old.email_confirmed_at, old.password_hash)
    is distinct from (new.role, new.suspended_at, new.deleted_at, new.email, new.email_confirmed_at, new.password_hash)
  ) execute function audit_change('{role,suspended_at,deleted_at,email_confirmed_at}', '{email,password_hash}');

-- Only the SHA-256 of a token is stored.
create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Identifies a session where its token must not be known.
  id uuid not null unique default uuidv7(),
  -- For display: "Chrome on Windows".
  browser text not null default '' check (length(browser) <= 60),
  -- Accurate to a few minutes.
  last_used_at timestamptz not null default now(),
  -- When the user last proved their identity, by signing in or when asked again.
  confirmed_at timestamptz not null default now(),
  -- The administrator who views the site as this user, read-only, and why.
  looked_by uuid references users on delete cascade,
  look_reason text check (length(look_reason) between 1 and 500),
  constraint sessions_look_check check ((looked_by is null) = (look_reason is null))
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
create index sessions_looked_by on sessions (looked_by) where looked_by is not null;

-- Closes the live-event streams of sessions that ended.
create function sessions_ended() returns trigger language plpgsql as $$
begin
  perform publish_change('sessions', coalesce(jsonb_agg(distinct user_id), '[]')) from ended having count(*) > 0;
  return null;
end $$;
create trigger sessions_ended after delete on sessions referencing old table as ended
  for each statement execute function sessions_ended();

-- Browsers that have signed in as a user; only the hash of their token is stored.
create table devices (
  token_hash bytea check (length(token_hash) = 32),
  user_id uuid references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (token_hash, user_id)
);
create index devices_user on devices (user_id);
create index devices_last_use on devices (last_used_at);

-- Emailed links to confirm an address or choose a new password; only the hash of their token is stored, and a used link is deleted.
create table account_links (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('confirm', 'reset')),
  -- The address that the link was sent to; it confirms no other.
  email citext not null,
  expires_at timestamptz not null
);
create index account_links_user on account_links (user_id, purpose);
create index account_links_expiry on account_links (expires_at);

-- Pending changes of an account's email address, applied when the link sent to the new address is used.
create table address_changes (
  -- One at a time: a new request replaces the previous one.
  user_id uuid primary key references users on delete cascade,
  email citext not null,
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null
);
create index address_changes_expiry on address_changes (expires_at);

-- Business email addresses of listings; emails about a listing go to the account's address until this one is confirmed by its link.
create table business_addresses (
  user_id uuid not null references users on delete cascade,
  email citext not null,
  -- Of the emailed link, until it is used.
  token_hash bytea unique check (length(token_hash) = 32),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (user_id, email),
  constraint business_addresses_link check ((token_hash is null) <> (confirmed_at is null))
);
