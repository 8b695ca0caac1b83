-- What is written here is no change that the audit log should tell of.
drop trigger refunds_audited on refunds;

-- Many refunds of one payment, each with its amount, and books that say where each cent of a payment is:
-- captured = what still pays for something + what went back or is on its way + what should have gone back and did not.
alter table payments
  -- What the provider took, which is the price unless something went wrong.
  add column captured_minor int not null default 0,
  -- What of it still pays for a subscription.
  add column bought_minor int not null default 0 check (bought_minor >= 0),
  -- What should have gone back and failed.
  add column owed_minor int not null default 0 check (owed_minor >= 0);

alter table refunds
  add column amount_minor int check (amount_minor > 0),
  -- Why there is one: the money could buy nothing, an administrator sent it back (by the card, or past the provider by a transfer),
  -- or somebody did in the provider's own pages.
  add column source text not null default 'nothing_to_buy' check (source in ('nothing_to_buy', 'administrator', 'transfer', 'provider')),
  add column asked_by uuid references users,
  -- Chosen by the administrator's page once for each wish: sent again, it finds the refund that it made.
  add column request_id uuid unique,
  add column failure_reason text,
  -- When the reconciler asks the provider next; null once there is nothing more to ask.
  add column check_at timestamptz,
  drop constraint refunds_payment_id_key,
  drop constraint refunds_status_check,
  add constraint refunds_status_check check (status in ('pending', 'succeeded', 'failed', 'canceled'));

-- Until now a refund was booked as done when the provider had taken it in: each is asked about once more.
update refunds set
  amount_minor = (select amount_minor from payments where payments.id = payment_id),
  failure_reason = case status when 'failed' then 'unknown' end,
  check_at = case when provider_id is not null then now() end;
update payments set
  captured_minor = amount_minor,
  bought_minor = case when exists (select from subscriptions where payment_id = payments.id) then amount_minor else 0 end,
  owed_minor = case when exists (select from refunds where payment_id = payments.id and refunds.status = 'failed') then amount_minor else 0 end
where status = 'succeeded';

alter table refunds
  alter column amount_minor set not null,
  alter column source drop default,
  add constraint refunds_asked check ((source in ('administrator', 'transfer')) = (asked_by is not null) and (asked_by is null) = (request_id is null)),
  add constraint refunds_failure check ((status in ('failed', 'canceled')) = (failure_reason is not null)),
  -- Done is what the provider calls done.
  add constraint refunds_known check (status <> 'succeeded' or source not in ('nothing_to_buy', 'administrator', 'provider') or provider_id is not null);
create index refunds_payment on refunds (payment_id, created_at);
create index refunds_check on refunds (check_at) where check_at is not null;

alter table payments add constraint payments_captured check ((status = 'succeeded') = (captured_minor > 0));

-- The transitions of server/src/domains/payments/refunds/payments.refunds.states.ts.
create trigger refunds_transition before update of status on refunds for each row
  when (old.status <> new.status and (old.status, new.status) not in (
    ('pending', 'succeeded'), ('pending', 'failed'), ('pending', 'canceled'), ('succeeded', 'failed'), ('succeeded', 'canceled')
  )) execute function refuse_transition();

-- When all of what bought a subscription went back, it has ended.
alter table subscriptions
  add column returned_at timestamptz,
  add constraint subscriptions_returned check (returned_at is null or payment_id is not null);

-- Checked when the transaction ends, under the payment's lock: whoever writes, the books of a payment balance. The argument is the column
-- that names the payment.
drop trigger payments_spent on payments;
drop function check_payment_is_spent();
create function check_payment_books() returns trigger language plpgsql as $$
declare
  of_payment uuid;
  book record;
begin
  for of_payment in
    select distinct id from unnest(array[
      (case when tg_op <> 'DELETE' then to_jsonb(new) ->> tg_argv[0] end)::uuid,
      (case when tg_op <> 'INSERT' then to_jsonb(old) ->> tg_argv[0] end)::uuid
    ]) as id where id is not null
  loop
    perform from payments where id = of_payment for no key update;
    continue when not found;
    select captured_minor, bought_minor, owed_minor,
      (select coalesce(sum(amount_minor), 0) from refunds where payment_id = of_payment and status in ('pending', 'succeeded')) as refunded,
      (select coalesce(sum(amount_minor), 0) from refunds where payment_id = of_payment and status in ('failed', 'canceled')) as failed,
      (select count(*) from subscriptions where payment_id = of_payment and returned_at is null) as subscriptions
    into book from payments where id = of_payment;
    if book.captured_minor <> book.bought_minor + book.refunded + book.owed_minor then
      raise exception 'payment %: % captured, but % bought + % refunded + % owed', of_payment,
        book.captured_minor, book.bought_minor, book.refunded, book.owed_minor using errcode = 'check_violation';
    end if;
    if (book.bought_minor > 0)::int <> book.subscriptions then
      raise exception 'payment %: % bought, with % subscriptions', of_payment, book.bought_minor, book.subscriptions using errcode = 'check_violation';
    end if;
    if book.owed_minor > book.failed then
      raise exception 'payment %: % owed, of % that failed', of_payment, book.owed_minor, book.failed using errcode = 'check_violation';
    end if;
  end loop;
  return null;
end $$;
create constraint trigger payments_balanced after insert or update of status, captured_minor, bought_minor, owed_minor on payments
  deferrable initially deferred for each row execute function check_payment_books('id');
create constraint trigger refunds_balanced after insert or update of payment_id, amount_minor, status or delete on refunds
  deferrable initially deferred for each row execute function check_payment_books('payment_id');
create constraint trigger subscriptions_balanced after insert or update of payment_id, returned_at or delete on subscriptions
  deferrable initially deferred for each row execute function check_payment_books('payment_id');

-- What corrects a tax invoice after a refund. Its numbers have no gaps: the row that holds the last one is locked until the note is written.
create table adjustment_notes (
  id uuid primary key default uuidv7(),
  number int not null unique check (number > 0),
  user_id uuid not null references users,
  receipt_id uuid not null references receipts,
  refund_id uuid not null unique references refunds,
  issued_at timestamptz not null default now(),
  details jsonb not null
);
create index adjustment_notes_user on adjustment_notes (user_id, number desc);
create index adjustment_notes_receipt on adjustment_notes (receipt_id);
create table adjustment_numbers (
  singleton boolean primary key default true check (singleton),
  last int not null
);
insert into adjustment_numbers (last) values (0);

drop trigger payments_audited on payments;
create constraint trigger payments_audited after update of status, amount_minor, user_id, captured_minor, bought_minor, owed_minor on payments
  deferrable initially deferred
  for each row when (
    (old.status, old.amount_minor, old.user_id, old.captured_minor, old.bought_minor, old.owed_minor)
    is distinct from (new.status, new.amount_minor, new.user_id, new.captured_minor, new.bought_minor, new.owed_minor)
  ) execute function audit_change('{status,amount_minor,user_id,captured_minor,bought_minor,owed_minor}');
create constraint trigger refunds_audited after insert or update of payment_id, amount_minor, status, source, reason, provider_id, failure_reason or delete on refunds
  deferrable initially deferred
  for each row execute function audit_change('{payment_id,amount_minor,status,source,reason,provider_id,asked_by,failure_reason}');
