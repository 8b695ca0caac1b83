-- An endpoint that does not answer twice in a row rests for a day, so that it holds up nothing else.
alter table push_subscriptions
  add column timeouts smallint not null default 0 constraint push_subscriptions_timeouts_check check (timeouts between 0 and 1),
  add column rests_until timestamptz;
