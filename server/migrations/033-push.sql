-- Browsers that receive push notifications. Signing out deletes the session, and with it the subscription.
create table push_subscriptions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  -- One browser, one session, one subscription.
  session_id uuid not null unique references sessions (id) on delete cascade,
  -- The address at the browser vendor's service; knowing it and the keys is what allows sending.
  endpoint text not null unique check (endpoint ~ '^https?://' and length(endpoint) <= 1000),
  p256dh text not null check (p256dh ~ '^[A-Za-z0-9_-]{87}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  -- For display: "Chrome on Android".
  browser text not null check (length(browser) <= 60),
  -- Whether notifications show what was written, also on a locked screen.
  shows_text boolean not null default false,
  created_at timestamptz not null,
  -- The last notification that the service accepted.
  last_used_at timestamptz
);
create index push_subscriptions_user on push_subscriptions (user_id);
