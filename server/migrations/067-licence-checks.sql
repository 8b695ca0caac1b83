-- squawk-ignore-file constraint-missing-not-valid
-- Whether a listing's licence is in its register, as somebody or something looked it up. One for each listing that states a licence.
create table licence_checks (
  id uuid primary key default uuidv7(),
  listing_id uuid not null unique references listings on delete cascade,
  -- The claim that was or is to be looked up.
  register text not null constraint licence_checks_register_check check (length(register) between 1 and 40),
  number text not null constraint licence_checks_number_check check (length(number) between 1 and 40),
  holder text not null constraint licence_checks_holder_check check (length(holder) between 1 and 100),
  -- stated: not looked up, or too long ago. valid: found, for 90 days. The others hide the claim.
  state text not null check (state in ('stated', 'valid', 'ended', 'suspended', 'other_holder')),
  -- What was found, when, and by whom.
  record_url text constraint licence_checks_record_url check (record_url ~ '^https://\S+$' and length(record_url) <= 500),
  found_holder text constraint licence_checks_found_holder check (length(found_holder) between 1 and 300),
  found_class text constraint licence_checks_found_class check (length(found_class) <= 300),
  found_status text constraint licence_checks_found_status check (length(found_status) between 1 and 300),
  ends_on date,
  checked_at timestamptz,
  checked_by text check (checked_by in ('register', 'administrator')),
  administrator_id uuid references users,
  -- Whether the answer came from the stand-in for the register.
  sandbox boolean not null default false,
  -- Why an answer is missing: the register was down or odd, or had nothing under the number.
  problem text check (problem in ('no_answer', 'not_found')),
  -- Since when it waits for an administrator.
  queued_at timestamptz,
  -- When it is looked at again.
  check_at timestamptz not null,
  constraint licence_checks_found check (state = 'stated' or num_nulls(checked_at, checked_by, found_status) = 0),
  constraint licence_checks_checked check ((checked_at is null) = (checked_by is null)),
  constraint licence_checks_administrator check ((administrator_id is not null) = (checked_by is not distinct from 'administrator'))
);
create index licence_checks_due on licence_checks (check_at);
create index licence_checks_queue on licence_checks (queued_at) where queued_at is not null;
create index licence_checks_administrator_id on licence_checks (administrator_id) where administrator_id is not null;

-- What an administrator has found is in the audit log.
create constraint trigger licence_checks_audited after update of checked_at on licence_checks deferrable initially deferred
  for each row when (new.checked_by = 'administrator' and new.checked_at is distinct from old.checked_at)
  execute function audit_change('{listing_id,register,number,state,record_url,found_holder,found_class,found_status,ends_on}');

-- Pages show whether and when a licence was checked.
create function licence_told() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[new.listing_id]);
  return null;
end $$;
create trigger licence_told after update on licence_checks
  for each row when ((old.state, old.checked_at, old.problem) is distinct from (new.state, new.checked_at, new.problem))
  execute function licence_told();

-- A register's answer can hide a licence without anybody having looked: nobody decided, and a person answers an objection.
-- squawk-ignore ban-drop-not-null
alter table decisions alter column decided_by drop not null;
alter table decisions drop constraint decisions_kind_check;
alter table decisions add constraint decisions_kind_check check (kind in (
  'dismiss', 'hide_listing', 'remove_review', 'warn', 'suspend_account', 'hide_licence',
  'reopen', 'show_listing', 'restore_review', 'withdraw_warning', 'restore_account', 'show_licence'
));
alter table decisions add constraint decisions_decider check (decided_by is not null or kind = 'hide_licence');

-- Who was told that a listing from before lacks what the law asks for, and until when it may stay so.
create table licence_notices (
  listing_id uuid primary key references listings on delete cascade,
  told_at timestamptz not null,
  due_at timestamptz not null,
  reminded_at timestamptz,
  paused_at timestamptz,
  constraint licence_notices_due check (due_at > told_at)
);
create index licence_notices_due_at on licence_notices (due_at) where paused_at is null;
