-- Accounts whose first month is free without a referral, because they accepted an invitation.
create table free_month_grants (
  user_id uuid primary key references users,
  -- The business that was invited, as a keyed hash; null without a number.
  business_number_key text check (length(business_number_key) between 16 and 64),
  created_at timestamptz not null
);
