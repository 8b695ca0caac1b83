-- A quote that a business sends the customer of a conversation; a message carries it. Its content never changes: another price is another quote.
create table quotes (
  id uuid primary key default uuidv7(),
  -- Shown as Q-1001.
  quote_number int not null generated always as identity (start with 1001) unique,
  conversation_id uuid not null,
  number int not null,
  -- Idempotency key chosen by the client.
  client_id uuid not null,
  status text not null default 'sent' check (status in ('sent', 'seen', 'accepted', 'declined', 'replaced', 'expired', 'withdrawn')),
  kind text not null check (kind in ('quote', 'estimate')),
  country text not null check (country in ('NZ', 'AU')),
  gst_included boolean not null,
  total_minor int not null check (total_minor between 1 and 1000000000),
  gst_minor int not null,
  -- As shown when it was sent.
  business_name text not null check (length(business_name) between 1 and 200),
  customer_name text not null check (length(customer_name) between 1 and 200),
  notes text not null check (length(notes) <= 2000),
  valid_until date not null,
  -- The end of that day in the listing's time zone.
  expires_at timestamptz not null,
  -- When the customer is reminded; null once they were.
  remind_at timestamptz,
  sent_at timestamptz not null,
  seen_at timestamptz,
  closed_at timestamptz,
  decline_reason text check (decline_reason in ('price', 'timing', 'other_business', 'not_needed', 'other', 'left')),
  decline_note text not null default '' check (length(decline_note) <= 500),
  unique (conversation_id, client_id),
  unique (conversation_id, number),
  foreign key (conversation_id, number) references messages (conversation_id, number) on delete cascade,
  -- 3/23 (15 %) or 1/11 (10 %) of the total, rounded half up: integers divide downwards.
  constraint quotes_gst check (gst_minor = case
    when not gst_included then 0
    when country = 'NZ' then (6 * total_minor::bigint + 23) / 46
    else (2 * total_minor::bigint + 11) / 22
  end),
  constraint quotes_time check (expires_at > sent_at),
  constraint quotes_reminder check (remind_at between sent_at and expires_at),
  constraint quotes_seen check (status <> 'seen' or seen_at is not null),
  constraint quotes_closed check ((status in ('sent', 'seen')) = (closed_at is null)),
  constraint quotes_accepted_in_time check (status <> 'accepted' or closed_at < expires_at),
  constraint quotes_declined check ((status = 'declined') = (decline_reason is not null)),
  constraint quotes_decline_note check (decline_note = '' or status = 'declined')
);
create unique index quotes_one_open on quotes (conversation_id) where status in ('sent', 'seen');
create index quotes_expiring on quotes (expires_at) where status in ('sent', 'seen');
create index quotes_reminding on quotes (remind_at) where status in ('sent', 'seen');

create table quote_lines (
  quote_id uuid not null references quotes on delete cascade,
  place smallint not null check (place between 1 and 30),
  description text not null check (length(description) between 1 and 200),
  -- Thousandths.
  quantity_milli int not null check (quantity_milli between 1 and 99999999),
  unit_minor int not null check (unit_minor between 0 and 100000000),
  -- Rounded half up to the cent.
  amount_minor int not null generated always as ((quantity_milli::bigint * unit_minor + 500) / 1000) stored,
  primary key (quote_id, place)
);

-- As in server/src/domains/quotes/quotes.states.ts.
create trigger quotes_transition before update of status on quotes for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('sent', 'seen'), ('sent', 'accepted'), ('sent', 'declined'), ('sent', 'replaced'), ('sent', 'expired'), ('sent', 'withdrawn'),
    ('seen', 'accepted'), ('seen', 'declined'), ('seen', 'replaced'), ('seen', 'expired'), ('seen', 'withdrawn')
  )) execute function refuse_transition();

-- What was offered never changes, and nothing of an accepted quote does.
create function refuse_quote_change() returns trigger language plpgsql as $$
begin
  raise exception 'quote % cannot be changed', old.id using errcode = 'check_violation', constraint = 'quotes_fixed';
end $$;
create trigger quotes_fixed before update on quotes for each row
  when (old.status = 'accepted' or
    (old.conversation_id, old.number, old.client_id, old.kind, old.country, old.gst_included, old.total_minor, old.notes, old.valid_until, old.expires_at, old.sent_at)
    is distinct from
    (new.conversation_id, new.number, new.client_id, new.kind, new.country, new.gst_included, new.total_minor, new.notes, new.valid_until, new.expires_at, new.sent_at))
  execute function refuse_quote_change();

-- Lines are written with their quote and go with it.
create function refuse_quote_line_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or exists (select from quotes where id = coalesce(new.quote_id, old.quote_id) and (status <> 'sent' or tg_op = 'DELETE')) then
    raise exception 'the lines of quote % cannot be changed', coalesce(new.quote_id, old.quote_id)
      using errcode = 'check_violation', constraint = 'quote_lines_fixed';
  end if;
  return coalesce(new, old);
end $$;
create trigger quote_lines_fixed before insert or update or delete on quote_lines for each row execute function refuse_quote_line_change();

-- The total is the sum of the rounded lines.
create function check_quote_total() returns trigger language plpgsql as $$
declare
  of_quote uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
  asked int;
  summed bigint;
begin
  select total_minor into asked from quotes where id = of_quote;
  select coalesce(sum(amount_minor), 0) into summed from quote_lines where quote_id = of_quote;
  if asked <> summed then
    raise exception 'quote %: a total of %, but lines of %', of_quote, asked, summed using errcode = 'check_violation', constraint = 'quotes_total';
  end if;
  return null;
end $$;
create constraint trigger quotes_total after insert on quotes deferrable initially deferred
  for each row execute function check_quote_total('id');
create constraint trigger quote_lines_total after insert on quote_lines deferrable initially deferred
  for each row execute function check_quote_total('quote_id');
