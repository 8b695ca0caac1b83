-- A visit of a business to a customer of a conversation: proposed, agreed on, moved, cancelled. Each step is a message of the conversation.
create table visits (
  -- The UID in calendars.
  id uuid primary key default uuidv7(),
  conversation_id uuid not null,
  -- The last message about it.
  message_number int not null,
  -- Idempotency key of the last proposal, chosen by the client.
  client_id uuid not null,
  status text not null default 'proposed' check (status in ('proposed', 'asked', 'agreed', 'cancelled', 'lapsed')),
  -- Counts changes, so that nobody changes what they have not seen.
  revision int not null default 0 check (revision >= 0),
  -- The SEQUENCE in calendars: counts what changes there.
  sequence int not null default 0 check (sequence >= 0),
  starts_at timestamptz,
  minutes smallint check (minutes between 15 and 480),
  agreed_at timestamptz,
  -- Who proposed the times of visit_times, and when; null without any.
  proposed_by text check (proposed_by in ('buyer', 'seller')),
  proposed_at timestamptz,
  cancelled_by text check (cancelled_by in ('buyer', 'seller')),
  cancel_reason text not null default '' check (length(cancel_reason) <= 300),
  -- When both sides are reminded; null once they were, and if there is nothing to remind of.
  remind_at timestamptz,
  created_at timestamptz not null,
  unique (conversation_id, client_id),
  foreign key (conversation_id, message_number) references messages (conversation_id, number) on delete cascade,
  constraint visits_time check ((starts_at is null) = (minutes is null) and (starts_at is null) = (agreed_at is null)),
  constraint visits_agreed check (case status when 'agreed' then starts_at is not null when 'cancelled' then true else starts_at is null end),
  constraint visits_proposal check ((proposed_by is null) = (proposed_at is null) and (status <> 'proposed' or proposed_by is not null)),
  constraint visits_cancelled check ((status = 'cancelled') = (cancelled_by is not null) and (cancel_reason = '' or status = 'cancelled')),
  constraint visits_reminder check (remind_at is null or (status = 'agreed' and remind_at < starts_at))
);
create unique index visits_one_open on visits (conversation_id) where status in ('proposed', 'asked');
create index visits_reminding on visits (remind_at) where remind_at is not null;

-- The times that the other side can take.
create table visit_times (
  visit_id uuid not null references visits on delete cascade,
  place smallint not null check (place between 1 and 3),
  starts_at timestamptz not null,
  minutes smallint not null check (minutes between 15 and 480),
  primary key (visit_id, place),
  unique (visit_id, starts_at)
);

-- As in server/src/domains/visits/visits.states.ts.
create trigger visits_transition before update of status on visits for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('proposed', 'asked'), ('proposed', 'agreed'), ('proposed', 'cancelled'), ('proposed', 'lapsed'),
    ('asked', 'proposed'), ('asked', 'cancelled'), ('agreed', 'cancelled')
  )) execute function refuse_transition();

-- The secret address under which a calendar reads one's visits: this id, signed.
create table visit_feeds (
  user_id uuid primary key references users on delete cascade,
  id uuid not null unique,
  created_at timestamptz not null
);
