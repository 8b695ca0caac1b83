-- One conversation for each listing and buyer.
create table conversations (
  id uuid primary key default uuidv7(),
  listing_id uuid not null references listings on delete cascade,
  buyer_id uuid not null references users,
  seller_id uuid not null references users,
  -- The number of its newest message. Whoever sends holds this row until the message is committed, so numbers have no gaps and
  -- the order of the numbers is that of the commits.
  last_number int not null default 0 check (last_number >= 0),
  -- When the seller first answered: what the time to reply is made of.
  answered_at timestamptz,
  -- Of the first message's words, to find the same ones sent to many.
  opening_hash bytea,
  flagged_because text check (flagged_because in ('same_text')),
  created_at timestamptz not null default now(),
  unique (listing_id, buyer_id),
  check (buyer_id <> seller_id)
);
create index conversations_buyer on conversations (buyer_id, created_at desc);
create index conversations_answered on conversations (seller_id, answered_at) include (created_at) where answered_at is not null;
create index conversations_flagged on conversations (created_at desc) where flagged_because is not null;

-- Each conversation as its two sides have it.
create table participants (
  conversation_id uuid not null references conversations on delete cascade,
  role text not null check (role in ('buyer', 'seller')),
  user_id uuid not null references users,
  -- How many messages of the other side this one has not seen.
  unread int not null default 0 check (unread >= 0),
  last_message_at timestamptz not null default now(),
  -- When what is unread is to be mailed, unless it is seen before then; what was mailed last, and when.
  mail_due_at timestamptz,
  mailed_at timestamptz,
  mailed_number int not null default 0,
  primary key (conversation_id, role)
);
create index participants_inbox on participants (user_id, last_message_at desc, conversation_id desc);
create index participants_unread on participants (user_id) where unread > 0;
create index participants_mail_due on participants (mail_due_at) where mail_due_at is not null;

-- Messages from before there were conversations: those of one sender about one listing are one.
delete from messages where sender_id = seller_id;
insert into conversations (listing_id, buyer_id, seller_id, last_number, created_at)
select listing_id, sender_id, min(seller_id::text)::uuid, count(*), min(created_at) from messages group by listing_id, sender_id;
insert into participants (conversation_id, role, user_id, unread, last_message_at)
select conversations.id, role, case role when 'buyer' then buyer_id else conversations.seller_id end,
  case role when 'buyer' then 0 else last_number end, max(messages.created_at)
from conversations
join messages on messages.listing_id = conversations.listing_id and sender_id = buyer_id
cross join (values ('buyer'), ('seller')) as roles (role)
group by conversations.id, role;

alter table messages
  add column conversation_id uuid references conversations on delete cascade,
  -- Counts up from 1 in each conversation.
  add column number int check (number > 0),
  add column from_seller boolean not null default false,
  -- The sender's own name for it: sent again under the same one it is the same message.
  add column client_id uuid,
  -- As those of a listing.
  add column pictures jsonb not null default '[]',
  add column seen_at timestamptz;
update messages set conversation_id = numbered.conversation_id, number = numbered.number
from (
  select messages.id, conversations.id as conversation_id,
    row_number() over (partition by conversations.id order by messages.created_at, messages.id) as number
  from messages join conversations on conversations.listing_id = messages.listing_id and buyer_id = sender_id
) as numbered
where numbered.id = messages.id;
alter table messages
  alter column conversation_id set not null,
  alter column number set not null,
  alter column from_seller drop default,
  drop column listing_id,
  drop column sender_id,
  drop column seller_id,
  drop column subject,
  drop constraint messages_body_check,
  add constraint messages_body_check check (length(body) <= 2000),
  add constraint messages_not_empty check (body <> '' or pictures <> '[]'),
  add unique (conversation_id, number),
  add unique (conversation_id, from_seller, client_id);
drop index messages_created;
create index messages_to_sellers on messages (created_at) where not from_seller;
create index messages_unseen on messages (conversation_id, from_seller, number) where seen_at is null;

-- Who lets no message of whom through, in whichever conversation.
create table blocks (
  blocker_id uuid not null references users on delete cascade,
  blocked_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (blocker_id, blocked_id),
  check (blocker_id <> blocked_id)
);
create index blocks_blocked on blocks (blocked_id);

-- What is told to people live, each receiver's own sequence (server/src/kit/live-events.ts). The counter's row is held until the
-- commit: a receiver's numbers have no gaps and the order of their commits.
create table user_event_counters (
  user_id uuid primary key references users on delete cascade,
  last_seq bigint not null
);
create table user_events (
  user_id uuid not null references users on delete cascade,
  seq bigint not null check (seq > 0),
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (user_id, seq)
);
create index user_events_age on user_events (created_at);

-- Who had a stream of live events open, on whichever server, and when it was last known. Unlogged: after a crash nobody has.
create unlogged table presence (
  user_id uuid primary key,
  seen_at timestamptz not null default now()
);

-- Kinds of mail that somebody has ended for themselves.
create table ended_mails (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  ended_at timestamptz not null default now(),
  primary key (user_id, kind)
);

-- Keys of what we sign ourselves: addresses in mails. Made where they are first needed, the same for every server.
create table signing_keys (
  name text primary key,
  key bytea not null check (length(key) = 32)
);

-- Servers close the streams of sessions that have ended, whoever ended them.
create function sessions_ended() returns trigger language plpgsql as $$
begin
  perform tell('sessions', coalesce(jsonb_agg(distinct user_id), '[]')) from ended having count(*) > 0;
  return null;
end $$;
create trigger sessions_ended after delete on sessions referencing old table as ended
  for each statement execute function sessions_ended();

create function user_suspended() returns trigger language plpgsql as $$
begin
  perform tell('sessions', to_jsonb(array[new.id]));
  return null;
end $$;
create trigger user_suspended after update of suspended_at on users
  for each row when (old.suspended_at is null and new.suspended_at is not null) execute function user_suspended();
