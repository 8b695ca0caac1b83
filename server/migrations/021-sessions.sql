-- What people see of their sessions, and how long one may last.
alter table sessions
  -- Names a session where its token must not be known.
  add column id uuid not null default uuidv7(),
  -- As people call it: "Chrome on Windows".
  add column browser text not null default '' check (length(browser) <= 60),
  -- To within a few minutes.
  add column last_used_at timestamptz not null default now(),
  -- When its user last proved who they are, by signing in or when asked again.
  add column confirmed_at timestamptz not null default now(),
  -- Somebody of the staff who looks at the site as this user, and why. It may read only.
  add column looked_by uuid references users on delete cascade,
  add column look_reason text check (length(look_reason) between 1 and 500),
  add constraint sessions_id_key unique (id),
  add constraint sessions_look_check check ((looked_by is null) = (look_reason is null));
create index sessions_looked_by on sessions (looked_by) where looked_by is not null;
