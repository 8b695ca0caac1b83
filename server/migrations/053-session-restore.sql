-- What restores a session whose token the browser has deleted, as Safari does with stored data after seven days without a visit. It is in an
-- HttpOnly cookie and works once: a second use means that somebody has copied it, and ends the session.
create table restore_tokens (
  token_hash bytea primary key check (length(token_hash) = 32),
  session_id uuid not null references sessions (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint restore_tokens_expiry_check check (expires_at > created_at)
);
create index restore_tokens_session on restore_tokens (session_id);
