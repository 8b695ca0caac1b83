-- What people decide on. Everything is as the seller says, but for what a register answered.

-- { "mon": ["07:30", "17:00"], … }: from when until when, a day that is not named is closed. A day ends at 24:00 at the latest.
create function are_hours(hours jsonb) returns boolean language sql immutable parallel safe as $$
  select jsonb_typeof(hours) = 'object' and hours <> '{}' and not exists (
    select from jsonb_each(case jsonb_typeof(hours) when 'object' then hours else '{}' end) as day (name, times)
    where not (
      name in ('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun')
      and times::text ~ '^\["([01]\d|2[0-3]):[0-5]\d", "(([01]\d|2[0-3]):[0-5]\d|24:00)"\]$'
      and (times ->> 0) collate "C" < (times ->> 1) collate "C"
    )
  )
$$;

alter table listings
  -- In cents of the listing's currency, GST included.
  add column price_from_minor int check (price_from_minor between 1 and 10000000),
  add column price_unit text check (price_unit in ('hour', 'visit', 'job', 'day', 'room', 'square_metre')),
  -- What coming costs. 0: nothing.
  add column call_out_minor int check (call_out_minor between 0 and 10000000),
  add column in_trade_since smallint check (in_trade_since between 1850 and 2200),
  add column hours jsonb check (are_hours(hours)),
  add column emergency boolean not null default false,
  add column insured boolean not null default false,
  add column licence_register text check (length(licence_register) between 1 and 40),
  add column licence_number text check (length(licence_number) between 1 and 40),
  add column licence_name text check (length(licence_name) between 1 and 100),
  -- NZBN or ABN, as the country says.
  add column business_number text constraint listings_business_number
    check (business_number ~ case country when 'NZ' then '^94\d{11}$' else '^[1-9]\d{10}$' end),
  -- True while a register check of it holds.
  add column verified boolean not null default false,
  add constraint listings_price check ((price_from_minor is null) = (price_unit is null)),
  add constraint listings_licence check (num_nonnulls(licence_register, licence_number, licence_name) in (0, 3)),
  add constraint listings_verified check (not verified or business_number is not null);

-- What the public register says of the number that a listing gives. One row as long as the number stands there.
create table register_checks (
  listing_id uuid not null references listings on delete cascade,
  register text not null check (register in ('nzbn', 'abn')),
  number text not null constraint register_checks_number_check
    check (number ~ case register when 'nzbn' then '^94\d{11}$' else '^[1-9]\d{10}$' end),
  -- claimed: not asked yet. valid: its check digit is right, and there is no register to ask. verified: the register has a business in
  -- operation under this name. refused: there is no such number, or it is another business's. gone: the business has ended.
  state text not null check (state in ('claimed', 'valid', 'verified', 'refused', 'gone')),
  -- The register's name of the business.
  register_name text check (length(register_name) between 1 and 300),
  -- Answered by a stand-in for the register.
  sandbox boolean not null default false,
  checked_at timestamptz,
  -- When it is asked again.
  check_at timestamptz not null,
  primary key (listing_id, register),
  constraint register_checks_answered check ((state in ('verified', 'refused', 'gone')) = (checked_at is not null)),
  constraint register_checks_named check (state not in ('verified', 'gone') or register_name is not null),
  constraint register_checks_unnamed check (checked_at is not null or register_name is null)
);
create index register_checks_due on register_checks (check_at);
-- Who else uses a number.
create index register_checks_number on register_checks (number);
