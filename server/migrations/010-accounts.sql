-- What an account says of itself, seen by nobody else, and whether its address of mail was confirmed by a link that went there.
alter table users
  add column email_confirmed_at timestamptz,
  add column phone_number text not null default '' check (length(phone_number) <= 20),
  add column address text not null default '' check (length(address) <= 300),
  add column about text not null default '' check (length(about) <= 500),
  -- A deleted account stays as a row without a person, because receipts, reviews and messages point at it.
  add column deleted_at timestamptz;
