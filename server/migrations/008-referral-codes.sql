-- Registering knows no referrals: an account is written first, and its code is given to it in the same transaction.
alter table users alter column referral_code drop not null;
