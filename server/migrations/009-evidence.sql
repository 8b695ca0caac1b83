-- What the public register says about the business number of a listing; deleted when the number is removed.
create table register_checks (
  listing_id uuid not null,
  register text not null check (register in ('nzbn', 'abn')),
  number text not null constraint register_checks_number_check check (number ~ case register when 'nzbn' then '^94\d{11}$' else '^[1-9]\d{10}$' end),
  -- claimed: not checked yet. valid: the check digit is right and no register is configured. verified: the register lists an active
  -- business under this name. refused: unknown number, or another business's. gone: the business was closed.
  state text not null check (state in ('claimed', 'valid', 'verified', 'refused', 'gone')),
  -- The name of the business in the register.
  register_name text check (length(register_name) between 1 and 300),
  -- Whether the answer came from the stand-in for the register.
  sandbox boolean not null default false,
  checked_at timestamptz,
  -- When the register is asked again.
  check_at timestamptz not null,
  primary key (listing_id, register),
  constraint register_checks_answered check ((state in ('verified', 'refused', 'gone')) = (checked_at is not null)),
  constraint register_checks_named check (state not in ('verified', 'gone') or register_name is not null),
  constraint register_checks_unnamed check (checked_at is not null or register_name is null)
);
create index register_checks_due on register_checks (check_at);
-- Finds other listings with the same number.
create index register_checks_number on register_checks (number);

-- Publishes a listing whose business was confirmed again, because its page shows when.
create function register_told() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[new.listing_id]);
  return null;
end $$;
create trigger register_told after update on register_checks
  for each row when (old.state = 'verified' and new.state = 'verified') execute function register_told();
