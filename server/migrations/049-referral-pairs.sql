-- One row per account, so the scans are short.
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation
-- The IPv6 /48 that an account came from, as a keyed hash; null for IPv4, if unknown, and after a day.
alter table referral_origins add column block_key text check (length(block_key) between 16 and 64);
create index referral_origins_block on referral_origins (block_key) where block_key is not null;

-- The referral converted, and its reward waits until the referred account has a card of its own or has paid.
alter table referrals add column awaits_card boolean not null default false;
alter table referrals add constraint referrals_awaits_card check (not awaits_card or status = 'converted');
create index referrals_awaiting_card on referrals (referred_id) where awaits_card;
