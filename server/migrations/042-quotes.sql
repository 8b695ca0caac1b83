-- A job that a household describes once, and whom it has asked for a quote: each by a message in a conversation of its own.
create table quote_requests (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  -- The household's own name for it: sent again under the same one it is the same request.
  client_id uuid not null,
  job text not null check (length(job) between 1 and 2000),
  category_code smallint not null references categories,
  sub_category_code smallint references sub_categories check (sub_category_code / 100 = category_code),
  -- As the table of places writes it: "Hamilton, Waikato".
  place text not null check (length(place) between 1 and 200),
  timing text not null check (timing in ('asap', 'two_weeks', 'flexible', 'date')),
  wanted_on date,
  -- As those of a message, and the same files.
  pictures jsonb not null default '[]',
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (user_id, client_id),
  constraint quote_requests_day check ((timing = 'date') = (wanted_on is not null))
);
create index quote_requests_own on quote_requests (user_id, created_at desc, id desc);

-- By which message each business has the request. A request begins with the first of them, so none is without.
create table quote_receivers (
  request_id uuid not null references quote_requests on delete cascade,
  -- Three at most.
  place smallint not null check (place between 1 and 3),
  conversation_id uuid not null,
  number int not null,
  primary key (request_id, place),
  unique (request_id, conversation_id),
  unique (conversation_id, number),
  foreign key (conversation_id, number) references messages (conversation_id, number) on delete cascade
);
