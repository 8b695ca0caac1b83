import type { NotNull } from 'kysely';
import type { Stripe } from 'stripe';
import type { Db, Reader } from '../../kit/database/database.ts';
import { type StripeSettings, callProvider, findAtProvider, getExpandableId, openStripe } from '../../kit/integrations/stripe.ts';
import { listFoundPayments } from './payments.found.queries.ts';
import {
  type AccountRow,
  type ProviderAccount,
  formatAccount,
  getPaymentSite,
  isOfAccount,
  openProviderAccount,
} from './payments.provider-account.ts';
import { hasRefundFailed, isPaid, toRefundStatus } from './payments.states.ts';

type Period = { from: Date; to: Date };
type Fault = { id: string; fault: string };
type Report = { name: string; counts: string; faults: Fault[] };

const createdWithin = ({ from, to }: Period) => ({
  created: { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) },
});

/** The keys' account, and counts of rows made with keys of other accounts, which these cannot see. */
type AuditRun = { db: Db; stripe: Stripe; here: ProviderAccount; site: string; elsewhere: Map<string, Record<Kind, number>> };
type Kind = 'payments' | 'refunds' | 'disputes';

/**
 * Compares payments, refunds, disputes and warnings of a period (by the provider's time) with the provider's lists and reports each
 * difference. Rows made with keys of another account or mode are only counted, because these keys cannot find them. Read-only.
 */
export async function auditProvider(db: Db, settings: StripeSettings, period: Period): Promise<Report[]> {
  const stripe = openStripe(settings);
  const here = await openProviderAccount(() => stripe, settings.secretKey).load();
  const run: AuditRun = { db, stripe, here, site: (await getPaymentSite(db)).id, elsewhere: new Map() };
  const reports = [
    await auditIntents(run, period),
    await auditRefunds(run, period),
    await auditDisputes(run, period),
    await auditWarnings(run, period),
  ];
  return [reportKeys(run), ...reports];
}

/** Counts the rows that the keys cannot see, by account. */
function isVisible({ here, elsewhere }: AuditRun, kind: Kind, row: AccountRow): boolean {
  if (isOfAccount(row, here)) return true;
  const whose = formatAccount({ id: row.account, livemode: row.livemode === true });
  const counts = elsewhere.get(whose) ?? { payments: 0, refunds: 0, disputes: 0 };
  elsewhere.set(whose, { ...counts, [kind]: counts[kind] + 1 });
  return false;
}

const reportKeys = ({ here, elsewhere }: AuditRun): Report => ({
  name: 'keys of the payment provider',
  counts: `those of ${formatAccount(here)}`,
  faults: [...elsewhere].map(([whose, { payments, refunds, disputes }]) => ({
    id: whose,
    fault: `${payments} payments, ${refunds} refunds and ${disputes} disputes were made with the keys of this account and are not compared: the keys in use belong to ${formatAccount(here)} and cannot read them. They may be in order. Run the audit with the keys of ${whose}`,
  })),
});

// Restricted keys that may not read their account can belong to another account in the same mode.
const describeForeignAccount = ({ here }: AuditRun, { account }: AccountRow) =>
  here.id === null && account !== null
    ? `, which was made with the keys of ${account}: the keys in use may not read which account they belong to`
    : '';

async function auditIntents(run: AuditRun, period: Period): Promise<Report> {
  const { db, stripe, site } = run;
  const intents = await listAll(stripe.paymentIntents.list({ ...createdWithin(period), limit: 100 }));
  const ids = intents.map(({ id }) => id);
  const known = new Map((await listPaymentsByIntent(db, ids)).map((row) => [row.intent_id, row]));
  const returned = new Set((await listFoundPayments(db, ids)).map((row) => row.intent_id));
  const faults = intents.flatMap((intent): Fault[] => {
    const row = known.get(intent.id);
    if (row) return faultOfIntent(intent, row);
    // A found payment that is being refunded has a ledger of its own.
    if (returned.has(intent.id)) return [];
    // Without our metadata it belongs to another product; with another site's, to that site.
    const { paymentId, site: ownerSite = site } = intent.metadata;
    return paymentId && ownerSite === site ? [{ id: intent.id, fault: unknownIntent(intent) }] : [];
  });
  for (const row of await listPaymentsBetween(db, period)) {
    if (known.has(row.intent_id) || !isVisible(run, 'payments', row)) continue;
    // Its time at the provider may fall just outside the period.
    const intent = await findAtProvider(stripe.paymentIntents.retrieve(row.intent_id));
    const missing = { id: row.id, fault: `the provider has no intent ${row.intent_id}${describeForeignAccount(run, row)}` };
    faults.push(...(intent ? faultOfIntent(intent, row) : [missing]));
  }
  return { name: 'payments at the provider', counts: `${intents.length} intents, ${known.size} of them ours`, faults };
}

const unknownIntent = ({ metadata, status, amount_received, currency }: Stripe.PaymentIntent) =>
  `the ledger lacks this intent of payment ${metadata['paymentId']}: it is ${status}, with ${amount_received} ${currency} received`;

function faultOfIntent(intent: Stripe.PaymentIntent, row: AuditedPayment): Fault[] {
  const isTaken = intent.status === 'succeeded';
  if (isTaken !== isPaid(row)) {
    return [{ id: row.id, fault: `the payment is ${row.status}, its intent ${intent.id} is ${intent.status}` }];
  }
  const taken = `${intent.amount_received} ${intent.currency.toUpperCase()}`;
  const booked = `${row.captured_minor} ${row.currency}`;
  return isTaken && taken !== booked ? [{ id: row.id, fault: `the payment says ${booked}, its intent ${intent.id} ${taken}` }] : [];
}

/** Finds the payments that refunds, disputes or warnings are about, if they are ours. */
async function loadPaymentIds(db: Reader, listed: readonly PaymentReference[]) {
  const intentIds = listed.flatMap(({ payment_intent }) => getExpandableId(payment_intent) ?? []);
  const ids = new Map((await listPaymentsByIntent(db, intentIds)).map((row) => [row.intent_id, row.id]));
  return ({ payment_intent }: PaymentReference) => ids.get(getExpandableId(payment_intent) ?? '');
}

type PaymentReference = { payment_intent?: string | { id: string } | null };

async function auditRefunds(run: AuditRun, period: Period): Promise<Report> {
  const { db, stripe } = run;
  const made = await listAll(stripe.refunds.list({ ...createdWithin(period), limit: 100 }));
  const findPaymentId = await loadPaymentIds(db, made);
  const ids = made.map(({ id }) => id);
  const known = new Map((await listRefundsByProviderId(db, ids)).map((row) => [row.provider_id, row]));
  const faults = made.flatMap((one): Fault[] => {
    const row = known.get(one.id);
    if (row) return faultOfRefund(one, row);
    const paymentId = findPaymentId(one);
    return paymentId && !hasRefundFailed(toRefundStatus(one.status))
      ? [{ id: paymentId, fault: `the ledger lacks refund ${one.id} of ${one.amount}, which is ${one.status}` }]
      : [];
  });
  for (const row of await listRefundsBetween(db, period)) {
    if (known.has(row.provider_id) || !isVisible(run, 'refunds', row)) continue;
    const one = await findAtProvider(stripe.refunds.retrieve(row.provider_id));
    faults.push(...(one ? faultOfRefund(one, row) : [{ id: row.id, fault: `the provider has no refund ${row.provider_id}` }]));
  }
  return { name: 'refunds at the provider', counts: `${made.length} refunds, ${known.size} of them in the ledger`, faults };
}

function faultOfRefund(made: Stripe.Refund, row: AuditedRefund): Fault[] {
  const status = toRefundStatus(made.status);
  if (status === row.status && made.amount === row.amount_minor) return [];
  return [
    { id: row.id, fault: `the ledger says ${row.status} ${row.amount_minor}, the provider’s refund ${made.id} ${status} ${made.amount}` },
  ];
}

async function auditDisputes(run: AuditRun, period: Period): Promise<Report> {
  const { db, stripe } = run;
  const all = await listAll(stripe.disputes.list({ ...createdWithin(period), limit: 100 }));
  const findPaymentId = await loadPaymentIds(db, all);
  const ids = all.map(({ id }) => id);
  const known = new Map((await listDisputesBetween(db, period, ids)).map((row) => [row.provider_id, row]));
  const faults = all.flatMap((one): Fault[] => {
    const row = known.get(one.id);
    const paymentId = findPaymentId(one);
    if (!row)
      return paymentId ? [{ id: paymentId, fault: `the ledger lacks dispute ${one.id} of ${one.amount}, which is ${one.status}` }] : [];
    if (row.status === one.status && row.amount_minor === one.amount) return [];
    return [
      {
        id: row.id,
        fault: `the ledger says ${row.status} ${row.amount_minor}, the provider’s dispute ${one.id} ${one.status} ${one.amount}`,
      },
    ];
  });
  const listed = new Set(ids);
  for (const row of known.values()) {
    if (!listed.has(row.provider_id) && isVisible(run, 'disputes', row))
      faults.push({ id: row.id, fault: `the provider does not list dispute ${row.provider_id}` });
  }
  return { name: 'disputes at the provider', counts: `${all.length} disputes, ${known.size} in the ledger`, faults };
}

async function auditWarnings({ db, stripe }: AuditRun, period: Period): Promise<Report> {
  const all = await listAll(stripe.radar.earlyFraudWarnings.list({ ...createdWithin(period), limit: 100 }));
  const findPaymentId = await loadPaymentIds(db, all);
  const ids = all.map(({ id }) => id);
  const known = new Set(await listKnownWarningIds(db, ids));
  const faults = all.flatMap((one): Fault[] => {
    const paymentId = findPaymentId(one);
    return paymentId && !known.has(one.id) ? [{ id: paymentId, fault: `the ledger lacks fraud warning ${one.id}` }] : [];
  });
  return { name: 'warnings at the provider', counts: `${all.length} warnings, ${known.size} in the ledger`, faults };
}

const listAll = <T>(list: AsyncIterable<T>): Promise<T[]> =>
  callProvider(
    (async () => {
      const all: T[] = [];
      for await (const one of list) all.push(one);
      return all;
    })(),
  );

const selectAuditedPayments = (db: Reader) =>
  db
    .selectFrom('payments')
    .select(['id', 'intent_id', 'status', 'captured_minor', 'currency', 'account', 'livemode'])
    .where('intent_id', 'is not', null)
    .$narrowType<{ intent_id: NotNull }>();
const selectAuditedRefunds = (db: Reader) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .select(['refunds.id', 'refunds.provider_id', 'refunds.status', 'refunds.amount_minor', 'payments.account', 'payments.livemode'])
    .where('refunds.provider_id', 'is not', null)
    .$narrowType<{ provider_id: NotNull }>();
const selectAuditedDisputes = (db: Reader) =>
  db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'disputes.payment_id')
    .select(['disputes.id', 'disputes.provider_id', 'disputes.status', 'disputes.amount_minor', 'payments.account', 'payments.livemode']);

type AuditedPayment = Awaited<ReturnType<ReturnType<typeof selectAuditedPayments>['execute']>>[number];
type AuditedRefund = Awaited<ReturnType<ReturnType<typeof selectAuditedRefunds>['execute']>>[number];

/** A statement takes a limited number of parameters. */
async function inBatches<Row>(ids: readonly string[], read: (some: string[]) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += 5_000) rows.push(...(await read(ids.slice(at, at + 5_000))));
  return rows;
}

const listPaymentsByIntent = (db: Reader, intentIds: readonly string[]) =>
  inBatches(intentIds, (some) => selectAuditedPayments(db).where('intent_id', 'in', some).execute());

const listPaymentsBetween = (db: Reader, { from, to }: Period) =>
  selectAuditedPayments(db).where('status', '=', 'succeeded').where('created_at', '>=', from).where('created_at', '<', to).execute();

export const listRefundsByProviderId = (db: Reader, providerIds: readonly string[]) =>
  inBatches(providerIds, (some) => selectAuditedRefunds(db).where('refunds.provider_id', 'in', some).execute());

const listRefundsBetween = (db: Reader, { from, to }: Period) =>
  selectAuditedRefunds(db).where('refunds.created_at', '>=', from).where('refunds.created_at', '<', to).execute();

/** The disputes with these ids, and all that were opened in the period. */
export const listDisputesBetween = async (db: Reader, { from, to }: Period, providerIds: readonly string[]) => [
  ...(await inBatches(providerIds, (some) => selectAuditedDisputes(db).where('disputes.provider_id', 'in', some).execute())),
  ...(await selectAuditedDisputes(db).where('opened_at', '>=', from).where('opened_at', '<', to).execute()),
];

export const listKnownWarningIds = async (db: Reader, providerIds: readonly string[]) =>
  (
    await inBatches(providerIds, (some) => db.selectFrom('fraud_warnings').select('provider_id').where('provider_id', 'in', some).execute())
  ).map((row) => row.provider_id);
