-- Notices about the end of a subscription, each sent once.
create table expiry_notices (
  subscription_id uuid not null references subscriptions,
  kind text not null check (kind in ('week', 'day', 'ended')),
  created_at timestamptz not null default now(),
  primary key (subscription_id, kind)
);
