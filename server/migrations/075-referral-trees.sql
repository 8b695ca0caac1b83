-- Where each account came from, to compare it with the others of its tree of referrals: keyed hashes only, deleted after 90 days.
create table referral_origins (
  user_id uuid primary key references users,
  came_at timestamptz not null,
  -- IPv4 /24 or IPv6 /64; null where it is not known, and after a day.
  network_key text constraint referral_origins_network_key_check check (length(network_key) between 16 and 64),
  -- Null for a public mail provider.
  domain_key text constraint referral_origins_domain_key_check check (length(domain_key) between 16 and 64),
  mailbox_key text not null constraint referral_origins_mailbox_key_check check (length(mailbox_key) between 16 and 64)
);
create index referral_origins_network on referral_origins (network_key) where network_key is not null;
create index referral_origins_domain on referral_origins (domain_key, came_at) where domain_key is not null;
create index referral_origins_mailbox on referral_origins (mailbox_key);
create index referral_origins_age on referral_origins (came_at);
insert into referral_origins (user_id, came_at, mailbox_key)
select distinct on (referred_id) referred_id, created_at, mailbox_key from referrals
where created_at > now() - interval '90 days' order by referred_id, created_at desc;

-- Whose free month a card has paid for, and who had the free first month of a business number. As keyed hashes, which stay when the account
-- is deleted.
create table free_month_claims (
  kind text not null constraint free_month_claims_kind_check check (kind in ('card', 'business_number')),
  key text not null constraint free_month_claims_key_check check (length(key) between 16 and 64),
  user_id uuid not null references users,
  created_at timestamptz not null,
  primary key (kind, key)
);
create trigger free_month_claims_append_only before update or delete or truncate on free_month_claims for each statement execute function refuse_change();
insert into free_month_claims
select 'card', card_key, user_id, created_at from free_first_months where card_key is not null;

comment on column referrals.network_key is 'Not written since migration 075: see referral_origins.';
comment on column free_first_months.card_key is 'Not written since migration 075: see free_month_claims.';

-- The provider's name for the number of the card that paid.
alter table payments add column card_fingerprint text;

-- Whether a hold ends by refusing, not by approving, when nobody has decided by `held_until`.
alter table referrals
  add column held_lapses boolean not null default false,
  add constraint referrals_lapses check (not held_lapses or held_because is not null) not valid;
alter table referrals validate constraint referrals_lapses;
-- allowed: few referrals are held at any time
update referrals set held_lapses = true, held_until = held_at + interval '60 days'
where status = 'held' and exists (
  select from referral_findings
  where referral_id = referrals.id and severity = 'hold'
    and rule in ('same_card', 'same_device', 'several_from_device', 'many_from_network')
);

-- The transitions of server/src/domains/referrals/referrals.states.ts: an administrator may refuse a referral after it has converted.
create or replace trigger referrals_transition before update of status on referrals for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('held', 'pending'), ('held', 'refused'), ('pending', 'held'), ('pending', 'converted'), ('pending', 'refused'), ('converted', 'refused')
  )) execute function refuse_transition();
