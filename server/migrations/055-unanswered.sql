-- What follows a first message that nobody answers: two reminders to the business, one word to the household, its message to others. A row is made
-- with the conversation; each step happens once, in the transaction that notes it here.
create table answer_reminders (
  conversation_id uuid primary key references conversations on delete cascade,
  first_due_at timestamptz not null,
  second_due_at timestamptz not null,
  -- Null for a message that was passed on, because the household was told about the first one.
  household_due_at timestamptz,
  first_sent_at timestamptz,
  second_sent_at timestamptz,
  household_told_at timestamptz,
  -- When the business was told that others were asked, because it answered after that.
  late_answer_told_at timestamptz,
  -- When the business was told of several unanswered messages in a row, of which this was the last.
  streak_told_at timestamptz,
  -- The earliest step that is still to be done; null if none is.
  next_due_at timestamptz,
  constraint answer_reminders_order check (second_due_at > first_due_at)
);
create index answer_reminders_due on answer_reminders (next_due_at) where next_due_at is not null;

-- The conversations in which a household sent an unanswered message to other businesses.
create table passed_on_messages (
  conversation_id uuid not null references answer_reminders on delete cascade,
  place smallint not null check (place between 1 and 3),
  to_conversation_id uuid not null unique references conversations on delete cascade,
  created_at timestamptz not null,
  primary key (conversation_id, place),
  check (conversation_id <> to_conversation_id)
);

-- A request for quotes can be passed on to three more businesses when the first three do not answer.
alter table quote_receivers drop constraint quote_receivers_place_check;
-- One row per business that was asked, so the scan is short.
-- squawk-ignore constraint-missing-not-valid
alter table quote_receivers add constraint quote_receivers_place_check check (place between 1 and 6);

-- The reply time in minutes, and how many of the last first messages were answered; worked out once a day.
alter table listings add column answer_minutes int;
alter table listings add column answers_given smallint not null default 0;
alter table listings add column answers_of smallint not null default 0;
-- Checked on what is written from now on; what is there are the defaults.
alter table listings add constraint listings_answers check (answers_given between 0 and answers_of and answer_minutes >= 0) not valid;
