create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table users (
  id uuid primary key default uuidv7(),
  full_name text not null check (length(full_name) between 1 and 100),
  username citext not null unique check (username::text ~ '^\w{3,20}$'),
  email citext not null unique,
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'admin')),
  avatar text not null default '',
  -- One's own code. Public, not secret.
  referral_code text not null unique,
  -- The code entered at registration, kept as found valid then; null where none or an invalid one was given.
  referred_by_code text references users (referral_code),
  suspended_at timestamptz,
  created_at timestamptz not null default now()
);

-- A token is known to its owner alone: here only its SHA-256 stands.
create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

-- Counters of attempts, shared by all servers. Unlogged: after a crash everybody starts at zero.
create unlogged table attempts (
  key text primary key,
  count int not null,
  window_ends_at timestamptz not null
);
