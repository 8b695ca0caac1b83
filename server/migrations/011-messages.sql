-- One conversation per listing and buyer.
create table conversations (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listings on delete cascade,
  buyer_id uuid not null references users,
  seller_id uuid not null references users,
  -- The number of its newest message; the row is locked while one is sent, so that numbers have no gaps and follow the order of commits.
  last_number int not null default 0 check (last_number >= 0),
  -- When the seller first answered; the reply time is computed from it.
  answered_at timestamptz,
  -- Hash of the first message's words, to find the same text sent to many sellers.
  opening_hash bytea,
  flagged_because text check (flagged_because in ('same_text')),
  created_at timestamptz not null default now(),
  unique (listing_id, buyer_id),
  check (buyer_id <> seller_id)
);
create index conversations_buyer on conversations (buyer_id, created_at desc);
create index conversations_answered on conversations (seller_id, answered_at) include (created_at) where answered_at is not null;
create index conversations_flagged on conversations (created_at desc) where flagged_because is not null;

-- Publishes the listing when an author of one of its reviews first writes to the seller or is first answered, because the review shows
-- both.
create function evidence_changed() returns trigger language plpgsql as $$
begin
  perform notify_listings(array[new.listing_id])
  where exists (select from reviews where listing_id = new.listing_id and author_id = new.buyer_id and removed_at is null);
  return null;
end $$;
create trigger evidence_begun after insert on conversations for each row execute function evidence_changed();
create trigger evidence_answered after update of answered_at on conversations
  for each row when (old.answered_at is distinct from new.answered_at) execute function evidence_changed();

-- The two sides of each conversation.
create table participants (
  conversation_id uuid not null references conversations on delete cascade,
  role text not null check (role in ('buyer', 'seller')),
  user_id uuid not null references users,
  -- The number of unseen messages from the other side.
  unread int not null default 0 check (unread >= 0),
  last_message_at timestamptz not null default now(),
  -- When unseen messages are emailed, and what was last emailed.
  mail_due_at timestamptz,
  mailed_at timestamptz,
  mailed_number int not null default 0,
  primary key (conversation_id, role)
);
create index participants_inbox on participants (user_id, last_message_at desc, conversation_id desc);
create index participants_unread on participants (user_id) where unread > 0;
create index participants_mail_due on participants (mail_due_at) where mail_due_at is not null;

create table messages (
  id uuid primary key default uuidv7(),
  body text not null check (length(body) <= 2000),
  created_at timestamptz not null default now(),
  conversation_id uuid not null references conversations on delete cascade,
  -- Counts from 1 in each conversation.
  number int not null check (number > 0),
  from_seller boolean not null,
  -- Idempotency key chosen by the sender.
  client_id uuid,
  -- In the format of listings.pictures.
  pictures jsonb not null default '[]',
  seen_at timestamptz,
  constraint messages_not_empty check (body <> '' or pictures <> '[]'),
  unique (conversation_id, number),
  unique (conversation_id, from_seller, client_id)
);
create index messages_to_sellers on messages (created_at) where not from_seller;
create index messages_unseen on messages (conversation_id, from_seller, number) where seen_at is null;

-- Messages from the blocked user to the blocker are refused in every conversation.
create table blocks (
  blocker_id uuid not null references users on delete cascade,
  blocked_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_blocked on blocks (blocked_id);

-- A job that a user describes once to request quotes; each business gets it as a message in its own conversation.
create table quote_requests (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  -- Idempotency key chosen by the client.
  client_id uuid not null,
  job text not null check (length(job) between 1 and 2000),
  category_code smallint not null references categories,
  sub_category_code smallint references sub_categories check (sub_category_code / 100 = category_code),
  -- As displayed: "Hamilton, Waikato".
  place text not null check (length(place) between 1 and 200),
  timing text not null check (timing in ('asap', 'two_weeks', 'flexible', 'date')),
  wanted_on date,
  -- The same files as the messages have.
  pictures jsonb not null default '[]',
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (user_id, client_id),
  constraint quote_requests_day check ((timing = 'date') = (wanted_on is not null))
);
create index quote_requests_own on quote_requests (user_id, created_at desc, id desc);

-- The message that each business received the request in.
create table quote_receivers (
  request_id uuid not null references quote_requests on delete cascade,
  -- At most three businesses.
  place smallint not null check (place between 1 and 3),
  conversation_id uuid not null,
  number int not null,
  primary key (request_id, place),
  unique (request_id, conversation_id),
  unique (conversation_id, number),
  foreign key (conversation_id, number) references messages (conversation_id, number) on delete cascade
);
