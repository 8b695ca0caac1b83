-- One draw per month; its id is that of its period.
create table draws (
  id uuid primary key references draw_periods,
  status text not null check (status in ('waiting', 'completed')),
  closed_at timestamptz not null,
  -- Closed by an administrator before the end of the month.
  by_hand boolean not null,
  root bytea not null check (length(root) = 32),
  total_tickets int not null,
  total_entries int not null,
  total_participants int not null,
  -- The number of void entries by reason.
  voided jsonb not null,
  -- The last head of the ticket log: origin, size, root, checkpoint and publicKey.
  log jsonb not null,
  -- The announced round of the public randomness; null without entries.
  chain text check (chain in ('quicknet', 'sandbox')),
  round int check (round > 0),
  announced_at timestamptz,
  expected_at timestamptz,
  signature bytea check (length(signature) = 48),
  randomness bytea check (length(randomness) = 32),
  completed_at timestamptz,
  -- pending: can be claimed. Null until the draw is completed.
  prize text check (prize in ('pending', 'claimed', 'paid', 'not_awarded')),
  paid_at timestamptz,
  constraint draws_totals check (
    total_entries >= 0 and total_tickets >= total_entries and total_participants between least(total_entries, 1) and total_entries
  ),
  constraint draws_announced check (
    num_nonnulls(chain, round, announced_at, expected_at) = case when total_entries > 0 then 4 else 0 end
  ),
  -- The round is announced before its randomness is published.
  constraint draws_announced_before check (announced_at < expected_at and announced_at >= closed_at),
  constraint draws_completed check ((status = 'completed') = (completed_at is not null)),
  constraint draws_drawn check (
    num_nonnulls(signature, randomness, prize) = case when status = 'completed' and total_entries > 0 then 3 else 0 end
  ),
  constraint draws_paid check ((prize is not distinct from 'paid') = (paid_at is not null))
);
create index draws_waiting on draws (expected_at) where status = 'waiting';
create index draws_unpaid on draws (id) where prize in ('pending', 'claimed');

-- Refuses a step that the list of its trigger does not name.
create function refuse_draw_step() returns trigger language plpgsql as $$
begin
  raise exception 'draws cannot go from % to %', coalesce(old.prize, old.status), coalesce(new.prize, new.status)
    using errcode = 'check_violation', constraint = 'draws_transition';
end $$;

-- As in server/src/domains/draws/draws.states.ts.
create trigger draws_transition before update of status, prize on draws for each row
  when (
    (old.status <> new.status and (old.status, new.status) not in (('waiting', 'completed')))
    or (old.prize is distinct from new.prize and (coalesce(old.prize, 'none'), coalesce(new.prize, 'none')) not in (
      ('none', 'pending'), ('none', 'not_awarded'),
      ('pending', 'claimed'), ('pending', 'not_awarded'), ('claimed', 'pending'), ('claimed', 'paid'), ('claimed', 'not_awarded')
    ))
  ) execute function refuse_draw_step();

-- Published facts never change; signature, randomness and the day of payment are written once.
create trigger draws_fixed before update on draws for each row
  when (
    (old.id, old.closed_at, old.by_hand, old.root, old.total_tickets, old.total_entries, old.total_participants, old.voided, old.log,
      old.chain, old.round, old.announced_at, old.expected_at)
    is distinct from (new.id, new.closed_at, new.by_hand, new.root, new.total_tickets, new.total_entries, new.total_participants, new.voided, new.log,
      new.chain, new.round, new.announced_at, new.expected_at)
    or (old.completed_at is not null and (old.signature, old.randomness, old.completed_at) is distinct from (new.signature, new.randomness, new.completed_at))
    or (old.paid_at is not null and old.paid_at is distinct from new.paid_at)
  ) execute function refuse_change();
create trigger draws_append_only before delete or truncate on draws for each statement execute function refuse_change();

-- The closing, the result and the state of the prize are recorded in the audit log.
create constraint trigger draws_audited_new after insert on draws deferrable initially deferred
  for each row execute function audit_change('{status,by_hand,total_tickets,total_entries,round,prize}');
create constraint trigger draws_audited after update of status, prize on draws deferrable initially deferred
  for each row execute function audit_change('{status,prize,paid_at}');

-- Downloads and lookups of a draw, written at its closing: all entries as in the proof file, and their Merkle tree.
create table draw_files (
  draw_id uuid primary key references draws,
  entries bytea not null,
  -- Id (16 bytes) and first ticket (4 bytes) of each entry, in order.
  places bytea not null check (length(places) % 20 = 0),
  -- The hashes of the tree, level by level from the leaves.
  tree bytea not null check (length(tree) % 32 = 0)
);
alter table draw_files
  alter column entries set storage external, alter column places set storage external, alter column tree set storage external;

-- Published files never change.
create trigger draw_files_append_only before update or delete or truncate on draw_files for each statement execute function refuse_change();

-- The picked entries in order: the winner, then the reserves.
create table draw_picks (
  id uuid primary key default uuidv7(),
  draw_id uuid not null references draws,
  place smallint not null check (place between 0 and 10),
  entry_id text collate "C" not null references draw_entries,
  ticket_index int not null check (ticket_index >= 0),
  -- When it won, and the deadline for claiming the prize.
  won_at timestamptz,
  claim_by timestamptz,
  -- The number of reminders sent.
  reminders smallint not null default 0 check (reminders between 0 and 2),
  struck_at timestamptz,
  struck_reason text check (length(struck_reason) between 1 and 300),
  constraint draw_picks_place unique (draw_id, place),
  constraint draw_picks_once unique (draw_id, entry_id),
  constraint draw_picks_won check ((won_at is null) = (claim_by is null) and claim_by > won_at),
  constraint draw_picks_struck check ((struck_at is null) = (struck_reason is null))
);
create unique index draw_picks_one_winner on draw_picks (draw_id) where won_at is not null and struck_at is null;

-- A pick wins once, its reminders only grow, and it is struck once and for good.
create trigger draw_picks_fixed before update on draw_picks for each row
  when (
    (old.id, old.draw_id, old.place, old.entry_id, old.ticket_index) is distinct from (new.id, new.draw_id, new.place, new.entry_id, new.ticket_index)
    or old.struck_at is not null
    or (old.won_at is not null and (old.won_at, old.claim_by) is distinct from (new.won_at, new.claim_by))
    or new.reminders < old.reminders
  ) execute function refuse_change();
create trigger draw_picks_append_only before delete or truncate on draw_picks for each statement execute function refuse_change();

-- Who won and who was struck is recorded in the audit log.
create constraint trigger draw_picks_audited after update of won_at, struck_at on draw_picks deferrable initially deferred
  for each row when ((old.won_at, old.struck_at) is distinct from (new.won_at, new.struck_at))
  execute function audit_change('{draw_id,place,entry_id,won_at,claim_by,struck_at,struck_reason}');

-- Bank details for the payment of a prize, encrypted with a key that is not in the database and erased afterwards.
create table prize_claims (
  id uuid primary key default uuidv7(),
  pick_id uuid not null unique references draw_picks,
  currency text not null check (currency in ('NZD', 'AUD')),
  claimed_at timestamptz not null,
  key_id text,
  sealed bytea,
  erased_at timestamptz,
  constraint prize_claims_erased check (num_nonnulls(key_id, sealed) = case when erased_at is null then 2 else 0 end)
);
create index prize_claims_kept on prize_claims (key_id) where erased_at is null;

-- A claim can be encrypted with another key or erased; nothing else of it changes.
create trigger prize_claims_fixed before update on prize_claims for each row
  when (
    (old.id, old.pick_id, old.currency, old.claimed_at) is distinct from (new.id, new.pick_id, new.currency, new.claimed_at)
    or old.erased_at is not null
  ) execute function refuse_change();
create trigger prize_claims_append_only before delete or truncate on prize_claims for each statement execute function refuse_change();

-- Claims are recorded in the audit log, without the bank details.
create constraint trigger prize_claims_audited after insert or update on prize_claims deferrable initially deferred
  for each row execute function audit_change('{pick_id,currency,claimed_at,erased_at}', '{key_id}');

-- Actions of administrators on a draw, with their reasons.
create table draw_actions (
  id uuid primary key default uuidv7(),
  draw_id uuid not null references draws,
  administrator_id uuid not null references users,
  action text not null check (action in ('run', 'strike', 'look', 'pay')),
  reason text check (length(reason) between 1 and 300),
  done_at timestamptz not null,
  constraint draw_actions_reason check (reason is not null or action in ('run', 'pay'))
);
create index draw_actions_draw on draw_actions (draw_id);

-- Actions are append-only.
create trigger draw_actions_append_only before update or delete or truncate on draw_actions for each statement execute function refuse_change();

-- Actions are recorded in the audit log.
create constraint trigger draw_actions_audited after insert on draw_actions deferrable initially deferred
  for each row execute function audit_change('{draw_id,administrator_id,action,reason}');
