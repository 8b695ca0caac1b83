-- What cardholders dispute at their banks, in the provider's words. Its states are those of
-- server/src/domains/payments/disputes/payments.disputes.states.ts.
create table disputes (
  id uuid primary key default uuidv7(),
  provider_id text not null unique,
  payment_id uuid not null references payments,
  amount_minor int not null check (amount_minor > 0),
  reason text not null,
  status text not null check (status in (
    'warning_needs_response', 'warning_under_review', 'warning_closed', 'needs_response', 'under_review', 'won', 'lost', 'prevented',
    'appeal_needs_response', 'appeal_under_review')),
  -- Until when evidence can be handed in.
  due_by timestamptz,
  opened_at timestamptz not null,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
create index disputes_payment on disputes (payment_id);
create index disputes_newest on disputes (opened_at desc);
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

-- A card's network says that its holder calls a payment fraud. There may be no dispute yet.
create table fraud_warnings (
  id uuid primary key default uuidv7(),
  provider_id text not null unique,
  payment_id uuid not null references payments,
  fraud_type text not null,
  -- Whether a refund can still keep a dispute away.
  actionable boolean not null,
  warned_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index fraud_warnings_payment on fraud_warnings (payment_id);
create index fraud_warnings_newest on fraud_warnings (warned_at desc);

-- A dispute that was lost took the money back: a refund that nobody sends.
alter table refunds
  add column dispute_id uuid unique references disputes,
  drop constraint refunds_source_check,
  add constraint refunds_source_check check (source in ('nothing_to_buy', 'administrator', 'transfer', 'provider', 'dispute')),
  add constraint refunds_disputed check ((source = 'dispute') = (dispute_id is not null));

-- While the bank decides about the payment, nothing new comes out of what it bought.
alter table subscriptions add column disputed_at timestamptz;

create constraint trigger disputes_audited after insert or update of status, amount_minor or delete on disputes deferrable initially deferred
  for each row execute function audit_change('{payment_id,amount_minor,reason,status,provider_id}');
create constraint trigger fraud_warnings_audited after insert or update or delete on fraud_warnings deferrable initially deferred
  for each row execute function audit_change('{payment_id,fraud_type,actionable,provider_id}');
drop trigger subscriptions_audited on subscriptions;
create constraint trigger subscriptions_audited after update of user_id, plan_id, source, payment_id, slots, ends_at, replaced_by, returned_at, disputed_at
  on subscriptions deferrable initially deferred
  for each row when (
    (old.user_id, old.plan_id, old.source, old.payment_id, old.slots, old.ends_at, old.replaced_by, old.returned_at, old.disputed_at)
    is distinct from (new.user_id, new.plan_id, new.source, new.payment_id, new.slots, new.ends_at, new.replaced_by, new.returned_at, new.disputed_at)
  ) execute function audit_change('{user_id,plan_id,source,payment_id,slots,ends_at,replaced_by,returned_at,disputed_at}');
