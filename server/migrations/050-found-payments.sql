-- What a database restored from a backup has lost and the provider still knows. `id` goes into the metadata of each intent: others may
-- take payments with the same account there. It comes back with the backup, so a restored site knows its own. `looked_until` does too:
-- how far the provider's lists were held against the books, and so where to look from after a restore.
create table payment_site (
  singleton boolean primary key default true check (singleton),
  id uuid not null default gen_random_uuid(),
  looked_until timestamptz not null default now()
);
insert into payment_site default values;

-- One row for each intent that was found at the provider and named a payment that nobody here knew: it is rebuilt or goes back, never both.
create table found_payments (
  id uuid primary key default uuidv7(),
  intent_id text not null unique,
  -- As the intent names them: there need be no such payment or user.
  payment_id uuid not null,
  user_id uuid not null,
  amount_minor int not null check (amount_minor > 0),
  currency text not null,
  outcome text not null check (outcome in ('rebuilt', 'returned')),
  reason text not null,
  refund_id text unique,
  refund_status text check (refund_status in ('pending', 'succeeded', 'failed', 'canceled')),
  found_at timestamptz not null default now(),
  constraint found_payments_refund check ((outcome = 'returned') = (refund_status is not null)),
  constraint found_payments_refund_id check (refund_id is null or outcome = 'returned')
);
create index found_payments_pending on found_payments (found_at) where refund_status in ('pending', 'failed', 'canceled');
create constraint trigger found_payments_audited after insert or update or delete on found_payments
  deferrable initially deferred
  for each row execute function audit_change('{intent_id,payment_id,user_id,amount_minor,currency,outcome,reason,refund_id,refund_status}');
