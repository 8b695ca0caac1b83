-- The provider's customer id of a user, created with their first payment or card.
create table payment_customers (
  user_id uuid primary key references users,
  customer_id text not null unique,
  account text,
  livemode boolean,
  constraint payment_customers_mode check (account is null or livemode is not null)
);

-- Saved cards are payment methods at the provider; only what identifies them to their owner is stored, never the number.
create table cards (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  payment_method_id text not null unique,
  full_name text not null,
  brand text not null,
  last4 text not null check (last4 ~ '^\d{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  fingerprint text,
  account text,
  livemode boolean,
  constraint cards_mode check (account is null or livemode is not null)
);
create index cards_user on cards (user_id, created_at desc) where removed_at is null;
create index cards_fingerprint on cards (user_id, fingerprint) where fingerprint is not null;
create index cards_shared on cards (fingerprint) where fingerprint is not null;

-- One payment is one intent at the provider; the row is written before the provider is called, so that money arriving there always has
-- one.
create table payments (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  purpose text not null check (purpose in ('listing', 'plan_change', 'reactivation')),
  plan_id uuid not null,
  country text not null check (country in ('NZ', 'AU')),
  -- The changed or reactivated listing, its replaced subscription and the saved card; null for a new subscription.
  listing_id uuid,
  replaces_id uuid,
  card_id uuid references cards,
  amount_minor int not null check (amount_minor > 0),
  currency text not null check (currency = case country when 'NZ' then 'NZD' else 'AUD' end),
  status text not null default 'open' check (status in ('open', 'succeeded', 'failed', 'canceled')),
  intent_id text unique,
  created_at timestamptz not null default now(),
  -- When the reconciler next asks the provider about an open payment.
  check_at timestamptz not null default now() + interval '1 minute',
  succeeded_at timestamptz,
  -- What the provider captured, normally the price.
  captured_minor int not null default 0,
  -- The part of it that pays for a subscription.
  bought_minor int not null default 0 check (bought_minor >= 0),
  -- The part whose refund failed.
  owed_minor int not null default 0 check (owed_minor >= 0),
  account text,
  livemode boolean,
  -- How often the provider failed to create the intent.
  provider_faults smallint not null default 0 constraint payments_provider_faults check (provider_faults >= 0),
  card_fingerprint text,
  check ((status = 'succeeded') = (succeeded_at is not null)),
  check ((purpose = 'listing') = (listing_id is null)),
  check ((purpose = 'plan_change') = (replaces_id is not null)),
  constraint payments_captured check ((status = 'succeeded') = (captured_minor > 0)),
  constraint payments_mode check (account is null or livemode is not null)
);
create index payments_user on payments (user_id, created_at desc);
create index payments_check on payments (check_at) where status = 'open';
-- At most one open payment for a new subscription per user and for a change per listing; a retry gets the same one, so that nothing is
-- paid twice.
create unique index payments_one_purchase on payments (user_id) where status = 'open' and purpose = 'listing';
create unique index payments_one_change on payments (listing_id) where status = 'open' and purpose <> 'listing';
create index payments_card on payments (card_fingerprint) where card_fingerprint is not null;

-- As in server/src/domains/payments/payments.states.ts.
create trigger payments_transition before update of status on payments for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('open', 'succeeded'), ('open', 'failed'), ('open', 'canceled'), ('failed', 'succeeded'), ('canceled', 'succeeded')
  )) execute function refuse_transition();

-- Changes to payments are recorded in the audit log.
create constraint trigger payments_audited_gone after delete on payments deferrable initially deferred
  for each row execute function audit_change('{status,amount_minor,currency,user_id,intent_id}');
create constraint trigger payments_audited after update of status, amount_minor, user_id, captured_minor, bought_minor, owed_minor on payments
  deferrable initially deferred
  for each row when (
    (old.status, old.amount_minor, old.user_id, old.captured_minor, old.bought_minor, old.owed_minor)
    is distinct from (new.status, new.amount_minor, new.user_id, new.captured_minor, new.bought_minor, new.owed_minor)
  ) execute function audit_change('{status,amount_minor,user_id,captured_minor,bought_minor,owed_minor}');

-- Card disputes, in the provider's terms.
create table disputes (
  id uuid primary key default uuidv7(),
  provider_id text not null unique,
  payment_id uuid not null references payments,
  amount_minor int not null check (amount_minor > 0),
  reason text not null,
  status text not null check (status in (
    'warning_needs_response', 'warning_under_review', 'warning_closed', 'needs_response', 'under_review', 'won', 'lost', 'prevented',
    'appeal_needs_response', 'appeal_under_review')),
  -- The deadline for evidence.
  due_by timestamptz,
  opened_at timestamptz not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index disputes_payment on disputes (payment_id);
create index disputes_newest on disputes (opened_at desc);

-- As in server/src/domains/payments/payments.states.ts.
create trigger disputes_transition before update of status on disputes for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('warning_needs_response', 'warning_under_review'), ('warning_needs_response', 'warning_closed'),
    ('warning_needs_response', 'needs_response'), ('warning_needs_response', 'under_review'), ('warning_needs_response', 'won'),
    ('warning_needs_response', 'lost'), ('warning_needs_response', 'prevented'),
    ('warning_under_review', 'warning_closed'), ('warning_under_review', 'needs_response'), ('warning_under_review', 'under_review'),
    ('warning_under_review', 'won'), ('warning_under_review', 'lost'), ('warning_under_review', 'prevented'),
    ('warning_closed', 'needs_response'), ('warning_closed', 'under_review'), ('warning_closed', 'won'), ('warning_closed', 'lost'),
    ('needs_response', 'under_review'), ('needs_response', 'won'), ('needs_response', 'lost'), ('needs_response', 'prevented'),
    ('under_review', 'won'), ('under_review', 'lost'), ('under_review', 'prevented'),
    ('won', 'lost'),
    ('lost', 'appeal_needs_response'), ('lost', 'appeal_under_review'), ('lost', 'won'),
    ('appeal_needs_response', 'appeal_under_review'), ('appeal_needs_response', 'won'), ('appeal_needs_response', 'lost'),
    ('appeal_under_review', 'won'), ('appeal_under_review', 'lost')
  )) execute function refuse_transition();

-- Disputes are recorded in the audit log.
create constraint trigger disputes_audited after insert or update of status, amount_minor or delete on disputes deferrable initially deferred
  for each row execute function audit_change('{payment_id,amount_minor,reason,status,provider_id}');

create table refunds (
  id uuid primary key default uuidv7(),
  payment_id uuid not null references payments,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'canceled')),
  provider_id text unique,
  created_at timestamptz not null default now(),
  refunded_at timestamptz,
  amount_minor int not null check (amount_minor > 0),
  -- nothing_to_buy: the plan could not be bought. administrator, transfer: sent back by an administrator through the card or by bank
  -- transfer. provider: made on the provider's own pages. dispute: withdrawn by the bank.
  source text not null check (source in ('nothing_to_buy', 'administrator', 'transfer', 'provider', 'dispute')),
  asked_by uuid references users,
  -- Idempotency key of the administrator's request.
  request_id uuid unique,
  failure_reason text,
  -- When the reconciler next asks the provider; null when settled.
  check_at timestamptz,
  dispute_id uuid unique references disputes,
  check ((status = 'succeeded') = (refunded_at is not null)),
  constraint refunds_asked check ((source in ('administrator', 'transfer')) = (asked_by is not null) and (asked_by is null) = (request_id is null)),
  constraint refunds_failure check ((status in ('failed', 'canceled')) = (failure_reason is not null)),
  -- A refund by the provider has succeeded only if the provider knows it.
  constraint refunds_known check (status <> 'succeeded' or source not in ('nothing_to_buy', 'administrator', 'provider') or provider_id is not null),
  constraint refunds_disputed check ((source = 'dispute') = (dispute_id is not null))
);
create index refunds_payment on refunds (payment_id, created_at);
create index refunds_check on refunds (check_at) where check_at is not null;

-- As in server/src/domains/payments/payments.states.ts.
create trigger refunds_transition before update of status on refunds for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('pending', 'succeeded'), ('pending', 'failed'), ('pending', 'canceled'), ('succeeded', 'failed'), ('succeeded', 'canceled')
  )) execute function refuse_transition();

-- Refunds are recorded in the audit log.
create constraint trigger refunds_audited after insert or update of payment_id, amount_minor, status, source, reason, provider_id, failure_reason or delete on refunds
  deferrable initially deferred
  for each row execute function audit_change('{payment_id,amount_minor,status,source,reason,provider_id,asked_by,failure_reason}');

-- When a transaction ends, each captured cent has bought a subscription, was refunded or is being refunded, or is owed.
create function check_payment_books() returns trigger language plpgsql as $$
declare
  of_payment uuid;
  book record;
begin
  for of_payment in
    select distinct id from unnest(array[
      (case when tg_op <> 'DELETE' then to_jsonb(new) ->> tg_argv[0] end)::uuid,
      (case when tg_op <> 'INSERT' then to_jsonb(old) ->> tg_argv[0] end)::uuid
    ]) as id where id is not null
  loop
    perform from payments where id = of_payment for no key update;
    continue when not found;
    select captured_minor, bought_minor, owed_minor,
      (select coalesce(sum(amount_minor), 0) from refunds where payment_id = of_payment and status in ('pending', 'succeeded')) as refunded,
      (select coalesce(sum(amount_minor), 0) from refunds where payment_id = of_payment and status in ('failed', 'canceled')) as failed,
      (select count(*) from subscriptions where payment_id = of_payment and returned_at is null) as subscriptions
    into book from payments where id = of_payment;
    if book.captured_minor <> book.bought_minor + book.refunded + book.owed_minor then
      raise exception 'payment %: % captured, but % bought + % refunded + % owed', of_payment,
        book.captured_minor, book.bought_minor, book.refunded, book.owed_minor using errcode = 'check_violation';
    end if;
    if (book.bought_minor > 0)::int <> book.subscriptions then
      raise exception 'payment %: % bought, with % subscriptions', of_payment, book.bought_minor, book.subscriptions using errcode = 'check_violation';
    end if;
    if book.owed_minor > book.failed then
      raise exception 'payment %: % owed, of % that failed', of_payment, book.owed_minor, book.failed using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger payments_balanced after insert or update of status, captured_minor, bought_minor, owed_minor on payments
  deferrable initially deferred for each row execute function check_payment_books('id');
create constraint trigger refunds_balanced after insert or update of payment_id, amount_minor, status or delete on refunds
  deferrable initially deferred for each row execute function check_payment_books('payment_id');

-- Tax invoices, stored as issued: later changes to the business, prices or customer do not alter them.
create table receipts (
  id uuid primary key default uuidv7(),
  number int not null unique generated by default as identity (start with 100001),
  user_id uuid not null references users,
  payment_id uuid not null unique references payments,
  issued_at timestamptz not null default now(),
  details jsonb not null
);
create index receipts_user on receipts (user_id, number desc);

-- Adjustment notes correct a tax invoice after a refund; their numbers have no gaps, because the row with the last one is locked until
-- the note is written.
create table adjustment_notes (
  id uuid primary key default uuidv7(),
  number int not null unique check (number > 0),
  user_id uuid not null references users,
  receipt_id uuid not null references receipts,
  refund_id uuid not null unique references refunds,
  issued_at timestamptz not null default now(),
  details jsonb not null
);
create index adjustment_notes_user on adjustment_notes (user_id, number desc);
create index adjustment_notes_receipt on adjustment_notes (receipt_id);

create table adjustment_numbers (
  singleton boolean primary key default true check (singleton),
  last int not null
);
insert into adjustment_numbers (last) values (0);

-- Fraud warnings of card networks; a dispute may not exist yet.
create table fraud_warnings (
  id uuid primary key default uuidv7(),
  provider_id text not null unique,
  payment_id uuid not null references payments,
  fraud_type text not null,
  -- Whether a refund can still prevent a dispute.
  actionable boolean not null,
  warned_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index fraud_warnings_payment on fraud_warnings (payment_id);
create index fraud_warnings_newest on fraud_warnings (warned_at desc);

-- Fraud warnings are recorded in the audit log.
create constraint trigger fraud_warnings_audited after insert or update or delete on fraud_warnings deferrable initially deferred
  for each row execute function audit_change('{payment_id,fraud_type,actionable,provider_id}');

-- Webhook events, one row however often an event is sent; their payload is not stored, because it may be stale when processed and the
-- provider is asked instead.
create table provider_events (
  id text primary key,
  type text not null,
  object_id text,
  -- The provider's id of the payment concerned.
  intent_id text,
  -- Of a connected account; null for our own.
  account text,
  livemode boolean not null,
  created_at timestamptz not null,
  received_at timestamptz not null
);
create index provider_events_received on provider_events (received_at);
create index provider_events_intent on provider_events (intent_id, created_at) where intent_id is not null;

-- Webhooks with an invalid signature per minute; a wrong secret refuses all of them and would otherwise go unnoticed.
create table provider_refusals (
  minute timestamptz primary key,
  refused int not null check (refused > 0)
);

-- Identifies this site in the metadata of its intents, because other sites may use the same provider account, and says up to when the
-- provider's lists were compared with the payments; both are restored with a backup, so that lost payments are found.
create table payment_site (
  singleton boolean primary key default true check (singleton),
  id uuid not null default gen_random_uuid(),
  looked_until timestamptz not null default now()
);
insert into payment_site default values;

-- Intents found at the provider for a payment that is unknown here; each is either rebuilt or returned.
create table found_payments (
  id uuid primary key default uuidv7(),
  intent_id text not null unique,
  -- As named by the intent, without foreign keys because neither may exist.
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

-- Found payments are recorded in the audit log.
create constraint trigger found_payments_audited after insert or update or delete on found_payments
  deferrable initially deferred
  for each row execute function audit_change('{intent_id,payment_id,user_id,amount_minor,currency,outcome,reason,refund_id,refund_status}');
