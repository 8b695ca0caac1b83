import { type RawBuilder, sql } from 'kysely';
import { markets } from '@handwise/contract/markets';
import { auditDraws } from '../domains/draws/draws.service.ts';
import { auditProvider } from '../domains/payments/payments.service.ts';
import { freeMonthsAudit, renewalsAudit } from '../domains/plans/plans.service.ts';
import { conversionsAudit, rewardsAudit } from '../domains/referrals/referrals.service.ts';
import { auditTickets } from '../domains/tickets/tickets.service.ts';
import type { Db, Reader } from '../kit/database/database.ts';
import type { StripeSettings } from '../kit/integrations/stripe.ts';

type Fault = { id: string; fault: string };

type Audit = {
  name: string;
  /** One row with one text: the totals. */
  counts: RawBuilder<{ text: string }>;
  /** The inconsistent rows. */
  faults: RawBuilder<Fault>;
};

/** An entry of the audit log that an operator has stored elsewhere, to detect that the log was rewritten. */
export type Head = { number: number; hash: string };

export type AuditReport = {
  name: string;
  counts: string;
  /** Number of inconsistent rows. `faults` has the first of them. */
  wrong: number;
  faults: Fault[];
};

const shown = 20;

const gstPercents = sql.raw(
  Object.entries(markets)
    .map(([country, { gstPercent }]) => `('${country}', ${gstPercent})`)
    .join(', '),
);

const audits: Audit[] = [
  {
    name: 'payments',
    counts: sql`
      select format('%s captured = %s bought + %s refunded + %s owed, in cents of %s payments', coalesce(sum(captured_minor), 0),
        coalesce(sum(bought_minor), 0), coalesce(sum(captured_minor - bought_minor - owed_minor), 0), coalesce(sum(owed_minor), 0),
        count(*)) as text from payments where status = 'succeeded'`,
    faults: sql`
      select payments.id, format('the payment %s: %s captured, %s bought, %s refunded, %s owed, with %s that stands',
        case payments.status when 'succeeded' then 'succeeded' else 'is ' || payments.status end,
        captured_minor, bought_minor, coalesce(refunded, 0), owed_minor,
        case when subscriptions.id is null then 'no subscription' else 'subscription ' || subscriptions.id end) as fault
      from payments
      left join subscriptions on subscriptions.payment_id = payments.id and returned_at is null
      left join (
        select payment_id, sum(amount_minor) filter (where status in ('pending', 'succeeded')) as refunded,
          sum(amount_minor) filter (where status in ('failed', 'canceled')) as failed
        from refunds group by payment_id
      ) as back on back.payment_id = payments.id
      where captured_minor <> bought_minor + coalesce(refunded, 0) + owed_minor
        or (bought_minor > 0) <> (subscriptions.id is not null)
        or owed_minor > coalesce(failed, 0)
      union all
      select payments.id, format('subscription %s is of another user, plan or country than the payment that bought it', subscriptions.id)
      from payments join subscriptions on subscriptions.payment_id = payments.id
      where (payments.user_id, payments.plan_id, payments.country) <> (subscriptions.user_id, subscriptions.plan_id, subscriptions.country)`,
  },
  {
    name: 'slots',
    counts: sql`select format('%s used of %s', coalesce(sum(slots_used), 0), coalesce(sum(slots), 0)) as text from subscriptions`,
    faults: sql`
      select subscriptions.id, format('the subscription has %s slots, says that %s are used, and covers %s listings',
        slots, slots_used, coalesce(listings, 0)) as fault
      from subscriptions
      left join (select subscription_id, count(*) as listings from listings group by subscription_id) as counted
        on counted.subscription_id = subscriptions.id
      where slots_used > slots or slots_used <> coalesce(listings, 0)`,
  },
  {
    name: 'listings',
    counts: sql`select format('%s follow their subscription', count(*)) as text from listings`,
    // Times written by the server have milliseconds, those of the database microseconds.
    faults: sql`
      select listings.id, format('the listing has rank %s until %s in %s, its subscription %s until %s in %s',
        plan_rank, subscription_ends_at, listings.country, rank, ends_at, subscriptions.country) as fault
      from listings join subscriptions on subscriptions.id = subscription_id join plans on plans.id = plan_id
      where plan_rank <> rank or date_trunc('milliseconds', subscription_ends_at) <> date_trunc('milliseconds', ends_at) or listings.country <> subscriptions.country`,
  },
  {
    name: 'receipts',
    counts: sql`select format('%s issued, one for each payment that bought something', count(*)) as text from receipts`,
    faults: sql`
      select coalesce(bought.id, receipts.payment_id) as id, case
          when receipts.id is null then 'the payment has no receipt'
          when bought.id is null then format('receipt %s is for a payment that bought nothing', number)
          else format('receipt %s says %s %s with %s GST, the payment %s %s', number,
            details ->> 'totalMinor', details ->> 'currency', details ->> 'gstMinor', amount_minor, currency)
        end as fault
      -- A payment that bought something keeps its receipt after a refund.
      from (
        select payments.* from payments
        where status = 'succeeded' and not exists (select from refunds where payment_id = payments.id and source = 'nothing_to_buy')
      ) as bought
      full join receipts on receipts.payment_id = bought.id
      left join (values ${gstPercents}) as gst (of_country, percent) on of_country = bought.country
      where bought.id is null or receipts.id is null
        or receipts.user_id <> bought.user_id
        or details ->> 'currency' <> currency
        or (details ->> 'totalMinor')::int <> amount_minor
        or (details ->> 'gstMinor')::int <> round(amount_minor * percent / (100.0 + percent))`,
  },
  {
    name: 'open payments',
    counts: sql`select format('%s, none older than 25 hours', count(*)) as text from payments where status = 'open'`,
    faults: sql`
      select id, format('the payment is open since %s: is any server running the jobs?', created_at) as fault
      from payments where status = 'open' and created_at < now() - interval '25 hours'`,
  },
  {
    name: 'refunds',
    counts: sql`
      select format('%s under way, %s owed', count(*) filter (where status = 'pending'),
        (select count(*) from payments where owed_minor > 0)) as text from refunds`,
    faults: sql`
      select id, format('the refund of payment %s was not sent since %s: is any server running the jobs?', payment_id, created_at) as fault
      from refunds where status = 'pending' and provider_id is null and created_at < now() - interval '1 day'
      union all
      select id, format('the refund of payment %s waits for the bank since %s', payment_id, created_at)
      from refunds where status = 'pending' and provider_id is not null and created_at < now() - interval '30 days'
      union all
      select id, format('of the payment %s %s are owed to its payer: a refund failed', owed_minor, currency)
      from payments where owed_minor > 0`,
  },
  {
    name: 'found payments',
    counts: sql`
      select format('%s that the database had lost: %s rebuilt, %s sent back', count(*), count(*) filter (where outcome = 'rebuilt'),
        count(*) filter (where refund_status = 'succeeded')) as text from found_payments`,
    faults: sql`
      select id, format('%s %s of intent %s belong to nobody here, and their refund %s since %s', amount_minor, currency, intent_id,
        case refund_status when 'pending' then 'is under way' else refund_status end, found_at) as fault
      from found_payments
      where refund_status in ('failed', 'canceled') or (refund_status = 'pending' and found_at < now() - interval '1 day')
      union all
      select found_payments.id, format('intent %s was found and %s, but payment %s says otherwise', found_payments.intent_id, outcome, payment_id)
      from found_payments left join payments on payments.intent_id = found_payments.intent_id
      where (outcome = 'rebuilt') <> (payments.id is not null)`,
  },
  {
    name: 'adjustment notes',
    counts: sql`
      select format('%s issued without a gap, for what went back of payments with a receipt', count(*)) as text from adjustment_notes`,
    // The note of a failed refund stays, because the money is owed.
    faults: sql`
      select receipts.payment_id as id, format('of receipt %s %s went back and %s are owed, its notes say %s with %s GST',
        receipts.number, coalesce(gone, 0), owed_minor, coalesce(noted, 0), coalesce(gst, 0)) as fault
      from receipts
      join payments on payments.id = receipts.payment_id
      left join (values ${gstPercents}) as gst_of (of_country, percent) on of_country = payments.country
      left join (select payment_id, sum(amount_minor) as gone from refunds where status = 'succeeded' group by payment_id) as back
        on back.payment_id = receipts.payment_id
      left join (
        select receipt_id, sum((details ->> 'totalMinor')::int) as noted, sum((details ->> 'gstMinor')::int) as gst
        from adjustment_notes group by receipt_id
      ) as notes on notes.receipt_id = receipts.id
      where coalesce(noted, 0) not between coalesce(gone, 0) and captured_minor - bought_minor
        or coalesce(gst, 0) <> round(coalesce(noted, 0) * percent / (100.0 + percent))
      union all
      select max(id::text)::uuid, format('%s notes, but the last number is %s', count(*), (select last from adjustment_numbers))
      from adjustment_notes having count(*) <> (select last from adjustment_numbers) or coalesce(max(number), 0) <> count(*)`,
  },
  rewardsAudit,
  conversionsAudit,
  freeMonthsAudit,
  renewalsAudit,
  {
    name: 'audit log',
    counts: sql`select format('%s entries in an unbroken chain, head %s', number, encode(hash, 'hex')) as text from audit_head`,
    faults: sql`
      with chain as (
        select number, hash, previous, audit_hash(audit_log) as computed,
          lag(number, 1, 0) over entries as number_before,
          lag(hash, 1, decode(repeat('00', 32), 'hex')) over entries as hash_before
        from audit_log window entries as (order by number)
      )
      select number as id, case
          when hash <> computed then 'the entry was changed after it was written'
          when number <> number_before + 1 then format('the entry follows %s: those between were removed', number_before)
          else 'the entry does not follow the one before it: one of them was replaced'
        end as fault
      from chain where hash <> computed or number <> number_before + 1 or previous <> hash_before
      union all
      select audit_head.number, format('the log ends with entry %s: others were removed from its end or added to it', coalesce(last.number, 0))
      from audit_head left join (select number, hash from chain order by number desc limit 1) as last on true
      where (audit_head.number, audit_head.hash) is distinct from (coalesce(last.number, 0), coalesce(last.hash, decode(repeat('00', 32), 'hex')))`,
  },
];

async function runAudit(db: Reader, { name, counts, faults }: Audit): Promise<AuditReport> {
  const counted = await counts.execute(db);
  const { rows } = await sql<Fault & { wrong: number }>`
    select id, fault, count(*) over ()::int as wrong from (${faults}) as faults order by id limit ${shown}`.execute(db);
  return {
    name,
    counts: counted.rows[0]?.text ?? '',
    wrong: rows[0]?.wrong ?? 0,
    faults: rows.map(({ id, fault }) => ({ id, fault })),
  };
}

/** Audits payments, slots, rewards, the audit log, tickets and draws in one snapshot. Read-only. */
export const runAudits = (db: Db): Promise<AuditReport[]> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const reports: AuditReport[] = [];
      for (const audit of audits) reports.push(await runAudit(tx, audit));
      for (const [name, audit] of [['tickets', auditTickets] as const, ['draws', auditDraws] as const]) {
        const { counts, faults } = await audit(tx);
        reports.push({ name, counts, wrong: faults.length, faults: faults.slice(0, shown) });
      }
      return reports;
    });

/** Compares payments, refunds, disputes and warnings of a period with the provider's lists. Read-only. */
export const auditAtProvider = async (db: Db, stripe: StripeSettings, period: { from: Date; to: Date }): Promise<AuditReport[]> =>
  (await auditProvider(db, stripe, period)).map(({ name, counts, faults }) => ({
    name,
    counts,
    wrong: faults.length,
    faults: faults.slice(0, shown),
  }));

/** Whether the audit log still has an entry that was stored elsewhere. A rewritten chain does not. */
export async function hasHead(db: Reader, { number, hash }: Head): Promise<boolean> {
  const { rows } = await sql<{ hash: string }>`select encode(hash, 'hex') as hash from audit_log where number = ${number}`.execute(db);
  return rows[0]?.hash === hash.toLowerCase();
}

/** The reports as text, one line each. */
export function formatAudit(reports: readonly AuditReport[]): string[] {
  const wrong = reports.filter((report) => report.wrong > 0);
  if (wrong.length === 0) return ['The ledger balances.', ...reports.map(({ name, counts }) => `  ${name}: ${counts}`)];
  return [
    'The ledger does not balance.',
    ...wrong.flatMap(({ name, wrong: count, faults }) => [
      `  ${name}: ${count} ${count === 1 ? 'row' : 'rows'}`,
      ...faults.map(({ id, fault }) => `    ${id}  ${fault}`),
      ...(count > faults.length ? [`    and ${count - faults.length} more`] : []),
    ]),
  ];
}
