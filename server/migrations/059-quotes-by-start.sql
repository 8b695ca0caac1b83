-- outside a transaction
-- Accepted quotes by the start of the work.
create index concurrently quotes_starting on quotes (starts_on) where status = 'accepted' and starts_on is not null;
