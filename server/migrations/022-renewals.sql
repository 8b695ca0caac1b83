-- The new columns are empty, so what is built and checked here takes a short scan of two small tables.
-- squawk-ignore-file constraint-missing-not-valid, adding-foreign-key-constraint, disallowed-unique-constraint, require-concurrent-index-creation

-- A renewed subscription has one that follows it: begins when it ends and has its listings.
alter table subscriptions add column follows_id uuid;
alter table subscriptions
  add constraint subscriptions_follows foreign key (follows_id, user_id) references subscriptions (id, user_id),
  -- Whatever is charged, a subscription is renewed once.
  add constraint subscriptions_one_following unique (follows_id),
  add constraint subscriptions_follows_other check (follows_id <> id);

-- off_session: charged while its payer was not there.
alter table payments
  add column renews_id uuid references subscriptions,
  add column off_session boolean not null default false,
  drop constraint payments_purpose_check,
  add constraint payments_purpose_check check (purpose in ('listing', 'plan_change', 'reactivation', 'renewal')),
  drop constraint payments_check2,
  add constraint payments_of_listing check ((purpose in ('listing', 'renewal')) = (listing_id is null)),
  add constraint payments_of_renewal check ((purpose = 'renewal') = (renews_id is not null));
-- At most one open payment per renewal, and one that pays for it.
create unique index payments_one_renewal on payments (renews_id) where status = 'open';
create unique index payments_one_renewed on payments (renews_id) where bought_minor > 0;

-- What a seller agreed to for a subscription: this card is charged at most this amount for the next one.
create table renewals (
  subscription_id uuid primary key,
  user_id uuid not null,
  card_id uuid not null references cards,
  amount_minor int not null constraint renewals_amount check (amount_minor > 0),
  status text not null constraint renewals_status check (status in ('on', 'failed', 'needs_action', 'renewed', 'off', 'ended')),
  -- What the seller reads about the last attempt.
  problem text,
  agreed_at timestamptz not null,
  -- The next attempt.
  charge_at timestamptz,
  -- When the email before the charge was sent.
  noticed_at timestamptz,
  constraint renewals_subscription foreign key (subscription_id, user_id) references subscriptions (id, user_id),
  constraint renewals_problem check ((status in ('failed', 'needs_action')) = (problem is not null)),
  constraint renewals_charge check (case when status = 'on' then charge_at is not null else charge_at is null or status in ('failed', 'needs_action') end)
);
create index renewals_due on renewals (charge_at) where charge_at is not null;
create index renewals_user on renewals (user_id);

-- As in server/src/domains/plans/plans.renewals.states.ts.
create trigger renewals_transition before update of status on renewals for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('on', 'failed'), ('on', 'needs_action'), ('on', 'renewed'), ('on', 'off'), ('on', 'ended'),
    ('failed', 'on'), ('failed', 'needs_action'), ('failed', 'renewed'), ('failed', 'off'), ('failed', 'ended'),
    ('needs_action', 'on'), ('needs_action', 'failed'), ('needs_action', 'renewed'), ('needs_action', 'off'), ('needs_action', 'ended'),
    ('off', 'on'), ('ended', 'on')
  )) execute function refuse_transition();
