-- Who was referred by whose code, and its outcome.
create table referrals (
  id uuid primary key default uuidv7(),
  referrer_id uuid not null references users,
  referred_id uuid not null references users,
  code text not null check (length(code) between 1 and 64),
  entered_at text not null check (entered_at in ('registration', 'payment_step')),
  status text not null check (status in ('held', 'pending', 'converted', 'refused')),
  created_at timestamptz not null,
  -- Keyed hash of the referred account's mailbox, so that other spellings of an address are not referred again.
  mailbox_key text not null check (length(mailbox_key) between 16 and 64),
  -- The reason is kept after the hold ends.
  held_because text check (length(held_because) between 1 and 1000),
  held_at timestamptz,
  held_until timestamptz,
  refused_because text check (length(refused_because) between 1 and 1000),
  decided_at timestamptz,
  -- Null if no one decided in time.
  decided_by uuid references users,
  approved boolean,
  decision_reason text check (length(decision_reason) between 1 and 500),
  -- The referred user's first live listing.
  listing_id uuid,
  converted_at timestamptz,
  held_lapses boolean not null default false,
  constraint referrals_two_people check (referrer_id <> referred_id),
  constraint referrals_held check (num_nonnulls(held_because, held_at, held_until) in (0, 3) and held_until > held_at),
  constraint referrals_waiting check (status <> 'held' or (held_until is not null and decided_at is null)),
  constraint referrals_decided check (num_nonnulls(decided_at, approved, decision_reason) in (0, 3) and (decided_by is null or decided_at is not null)),
  constraint referrals_refused check ((status = 'refused') = (refused_because is not null)),
  constraint referrals_converted check ((status = 'converted') = (converted_at is not null)),
  constraint referrals_lapses check (not held_lapses or held_because is not null)
);
-- A user is referred by at most one code that counts.
create unique index referrals_one_of_referred on referrals (referred_id) where status <> 'refused';
create index referrals_referred on referrals (referred_id);
create index referrals_referrer on referrals (referrer_id, created_at desc);
create index referrals_due on referrals (held_until) where status = 'held';
create index referrals_mailbox on referrals (mailbox_key);
create index referrals_status on referrals (status, created_at desc);

-- As in server/src/domains/referrals/referrals.states.ts; an administrator may refuse a converted referral.
create trigger referrals_transition before update of status on referrals for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('held', 'pending'), ('held', 'refused'), ('pending', 'held'), ('pending', 'converted'), ('pending', 'refused'),
    ('converted', 'refused')
  )) execute function refuse_transition();

-- Who referred whom, and a decision once made, never change.
create trigger referrals_fixed before update on referrals for each row
  when (
    (old.id, old.referrer_id, old.referred_id, old.code, old.entered_at, old.mailbox_key, old.created_at)
      is distinct from (new.id, new.referrer_id, new.referred_id, new.code, new.entered_at, new.mailbox_key, new.created_at)
    or old.decided_at is not null and (old.decided_at, old.decided_by, old.approved, old.decision_reason)
      is distinct from (new.decided_at, new.decided_by, new.approved, new.decision_reason)
  ) execute function refuse_change();

-- Decisions of administrators about held referrals are recorded in the audit log.
create constraint trigger referrals_audited after update of decided_at on referrals deferrable initially deferred
  for each row when (old.decided_at is distinct from new.decided_at)
  execute function audit_change('{referrer_id,referred_id,status,approved,decided_by,decision_reason}');
create constraint trigger referrals_audited_gone after delete on referrals deferrable initially deferred
  for each row execute function audit_change('{referrer_id,referred_id,status,approved,decided_by,decision_reason}');

-- Findings of the rules against abuse.
create table referral_findings (
  id uuid primary key default uuidv7(),
  -- Null if the code was refused on entry, when no referral is created.
  referral_id uuid references referrals,
  referrer_id uuid not null references users,
  referred_id uuid not null references users,
  rule text not null check (length(rule) between 1 and 40),
  severity text not null check (severity in ('reject', 'hold', 'watch')),
  created_at timestamptz not null,
  constraint referral_findings_once unique (referral_id, rule)
);
create index referral_findings_of on referral_findings (referred_id, referrer_id);

-- Findings are append-only.
create trigger referral_findings_append_only before update or delete or truncate on referral_findings for each statement execute function refuse_change();

-- The ledger of rewards: each issue, use or void is a row, and the balance is their sum.
create table reward_entries (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  referral_id uuid not null references referrals,
  reward text not null check (reward in ('draw_entries', 'free_month')),
  change text not null check (change in ('issue', 'use', 'void')),
  quantity smallint not null check (quantity > 0),
  cause text not null check (cause in ('signup', 'code_used', 'listing', 'swapped', 'kept_back', 'subscription', 'fraud')),
  -- The issue that this row uses or voids, in full and once.
  of_id uuid,
  of_change text generated always as (case when of_id is not null then 'issue' end) stored,
  -- The issued tickets.
  entry_id text collate "C" unique references draw_entries,
  -- The subscription that a free month was used for.
  subscription_id uuid unique,
  created_at timestamptz not null,
  constraint reward_entries_whole unique (id, user_id, referral_id, reward, quantity, change),
  constraint reward_entries_of foreign key (of_id, user_id, referral_id, reward, quantity, of_change)
    references reward_entries (id, user_id, referral_id, reward, quantity, change),
  constraint reward_entries_once unique (of_id),
  constraint reward_entries_change check ((change = 'issue') = (of_id is null)),
  constraint reward_entries_tickets check ((reward = 'draw_entries' and change = 'issue') = (entry_id is not null)),
  constraint reward_entries_month check ((reward = 'free_month' and change = 'use') = (subscription_id is not null)),
  constraint reward_entries_one_month check (reward <> 'free_month' or quantity = 1)
);
-- Each reward of a referral is issued once.
create unique index reward_entries_issued_once on reward_entries (referral_id, user_id, cause) where change = 'issue';
create index reward_entries_user on reward_entries (user_id, created_at);

-- The ledger is append-only.
create trigger reward_entries_append_only before update or delete or truncate on reward_entries for each statement execute function refuse_change();

-- Free first months, one per account and mailbox; the keyed hash stays when the account is deleted.
create table free_first_months (
  user_id uuid primary key references users,
  subscription_id uuid not null unique,
  mailbox_key text not null constraint free_first_months_mailbox unique,
  created_at timestamptz not null
);

-- A free first month is never taken back.
create trigger free_first_months_append_only before update or delete or truncate on free_first_months for each statement execute function refuse_change();

-- Cards and business numbers that a free month was claimed with, as keyed hashes that stay when the account is deleted.
create table free_month_claims (
  kind text not null check (kind in ('card', 'business_number')),
  key text not null check (length(key) between 16 and 64),
  user_id uuid not null references users,
  created_at timestamptz not null,
  primary key (kind, key)
);

-- A claim is never taken back.
create trigger free_month_claims_append_only before update or delete or truncate on free_month_claims for each statement execute function refuse_change();

-- Notifications for the owner of a code, until they are seen.
create table referral_notifications (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users,
  referral_id uuid not null references referrals,
  type text not null check (type in ('signup', 'listing')),
  tickets smallint not null check (tickets > 0),
  created_at timestamptz not null,
  seen_at timestamptz,
  constraint referral_notifications_once unique (referral_id, type)
);
create index referral_notifications_unseen on referral_notifications (user_id, created_at desc) where seen_at is null;

-- Keyed hashes of where an account was created from, compared within its referral tree and deleted after 90 days.
create table referral_origins (
  user_id uuid primary key references users,
  came_at timestamptz not null,
  -- IPv4 /24 or IPv6 /64; null if unknown, and after a day.
  network_key text check (length(network_key) between 16 and 64),
  -- Null for a public mail provider.
  domain_key text check (length(domain_key) between 16 and 64),
  mailbox_key text not null check (length(mailbox_key) between 16 and 64)
);
create index referral_origins_network on referral_origins (network_key) where network_key is not null;
create index referral_origins_domain on referral_origins (domain_key, came_at) where domain_key is not null;
create index referral_origins_mailbox on referral_origins (mailbox_key);
create index referral_origins_age on referral_origins (came_at);
