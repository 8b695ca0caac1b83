create table plans (
  id uuid primary key default uuidv7(),
  plan_type text not null unique check (plan_type in ('basic', 'premium', 'featured')),
  rank smallint not null unique check (rank between 1 and 9),
  price_minor int not null check (price_minor > 0),
  slots smallint not null check (slots > 0),
  photos smallint not null check (photos > 0),
  unique (id, rank)
);
-- References from tables of earlier files.
alter table payments add foreign key (plan_id) references plans;

-- Changed prices and slots are recorded in the audit log.
create constraint trigger plans_audited after update of price_minor, slots on plans deferrable initially deferred
  for each row when ((old.price_minor, old.slots) is distinct from (new.price_minor, new.slots)) execute function audit_change('{price_minor,slots}');

-- One plan for 30 days, bought by a payment or a free month.
create table subscriptions (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  plan_id uuid not null references plans,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  country text not null check (country in ('NZ', 'AU')),
  source text not null check (source in ('grant', 'payment', 'plan_change', 'free_first_month', 'free_month')),
  -- A payment buys one subscription.
  payment_id uuid unique references payments,
  replaced_by uuid unique references subscriptions,
  slots smallint not null,
  slots_used smallint not null default 0,
  created_at timestamptz not null default now(),
  returned_at timestamptz,
  disputed_at timestamptz,
  unique (id, user_id),
  check ((source = 'payment') = (payment_id is not null)),
  -- Holds for concurrent requests: a subscription never covers more listings than it has slots.
  constraint subscriptions_slots check (slots_used between 0 and slots),
  constraint subscriptions_returned check (returned_at is null or payment_id is not null)
);
create index subscriptions_user on subscriptions (user_id, ends_at desc);
-- Once per account.
create unique index subscriptions_one_free_first_month on subscriptions (user_id) where source = 'free_first_month';
create index subscriptions_end on subscriptions (ends_at) where slots_used > 0;
-- References from tables of earlier files.
alter table free_first_months add foreign key (subscription_id) references subscriptions;
alter table payments add foreign key (replaces_id) references subscriptions;
alter table reward_entries add foreign key (subscription_id) references subscriptions;

-- Changes to subscriptions are recorded in the audit log.
create constraint trigger subscriptions_audited_new after insert or delete on subscriptions deferrable initially deferred
  for each row execute function audit_change('{user_id,plan_id,source,payment_id,slots,starts_at,ends_at}');
create constraint trigger subscriptions_balanced after insert or update of payment_id, returned_at or delete on subscriptions
  deferrable initially deferred for each row execute function check_payment_books('payment_id');
create constraint trigger subscriptions_audited after update of user_id, plan_id, source, payment_id, slots, ends_at, replaced_by, returned_at, disputed_at
  on subscriptions deferrable initially deferred
  for each row when (
    (old.user_id, old.plan_id, old.source, old.payment_id, old.slots, old.ends_at, old.replaced_by, old.returned_at, old.disputed_at)
    is distinct from (new.user_id, new.plan_id, new.source, new.payment_id, new.slots, new.ends_at, new.replaced_by, new.returned_at, new.disputed_at)
  ) execute function audit_change('{user_id,plan_id,source,payment_id,slots,ends_at,replaced_by,returned_at,disputed_at}');
