-- Which account of the payment provider something was made with, and whether for real money. Other keys do not find it. Null: made
-- before that was kept, or (the account) with a key that may not ask for it.
alter table payment_customers
  add column account text,
  add column livemode boolean,
  add constraint payment_customers_mode check (account is null or livemode is not null);
alter table cards
  add column account text,
  add column livemode boolean,
  add constraint cards_mode check (account is null or livemode is not null);
alter table payments
  add column account text,
  add column livemode boolean,
  -- How often the provider answered that it failed to make the intent.
  add column provider_faults smallint not null default 0,
  add constraint payments_mode check (account is null or livemode is not null),
  add constraint payments_provider_faults check (provider_faults >= 0);
