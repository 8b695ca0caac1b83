-- The referral code that was shown where a sign-in at a provider began, for the account that it may create.
-- The columns are new, so that no row breaks the constraints.
-- squawk-ignore-file constraint-missing-not-valid
alter table authorizations
  add column referral_code text constraint authorizations_referral_code_length check (length(referral_code) between 1 and 64);
alter table waiting_identities
  add column referral_code text constraint waiting_identities_referral_code_length check (length(referral_code) between 1 and 64);
