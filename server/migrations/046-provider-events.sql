-- What the payment provider tells by webhooks: one row for each event, however often it is sent. What it says of an object is not
-- kept, because it may be old by the time that it is worked off: the provider is asked how things stand.
create table provider_events (
  id text primary key,
  type text not null,
  object_id text,
  -- The payment that it is about, as the provider calls it.
  intent_id text,
  -- Of a connected account; null for one's own.
  account text,
  livemode boolean not null,
  created_at timestamptz not null,
  received_at timestamptz not null
);
create index provider_events_received on provider_events (received_at);
create index provider_events_intent on provider_events (intent_id, created_at) where intent_id is not null;

-- Messages whose signature did not hold, by the minute: a wrong secret refuses all of them, and then nothing is heard of any payment.
create table provider_refusals (
  minute timestamptz primary key,
  refused int not null check (refused > 0)
);
