-- Since when an open payment could not be checked with the provider; null after a check that succeeded.
alter table payments add column failing_since timestamptz;
