import type { Stripe } from 'stripe';
import type { Db } from '../../../kit/database/database.ts';
import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider, openStripe, type StripeSettings } from '../../../kit/outside/stripe.ts';
import { type Account, accountName, type Belonging, belongsTo, openAccount } from '../customers/payments.account.ts';
import { findSite, listFoundOf } from '../found/payments.found.queries.ts';
import { isPaid } from '../intents/payments.states.ts';
import { hasFailed, statusOf } from '../refunds/payments.refunds.states.ts';
import * as queries from './payments.audit-queries.ts';

type Period = { from: Date; to: Date };
type Fault = { id: string; fault: string };
type Report = { name: string; counts: string; faults: Fault[] };

const idOf = (one: string | { id: string } | null | undefined) => (typeof one === 'string' ? one : (one?.id ?? null));
const created = ({ from, to }: Period) => ({ created: { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) } });

/** Whose keys look there, and what they cannot see: rows of the books that were made with keys of others. */
type Look = { db: Db; stripe: Stripe; here: Account; site: string; elsewhere: Map<string, Record<Kind, number>> };
type Kind = 'payments' | 'refunds' | 'disputes';

/**
 * Holds payments, refunds, disputes and warnings of a period against the provider's own lists, and names each difference. A period is by the
 * provider's time of each thing. What was made with keys of another account or mode is not looked for with these: that they do not find it says
 * nothing. Changes nothing, here or there.
 */
export async function auditProvider(db: Db, settings: StripeSettings, period: Period): Promise<Report[]> {
  const stripe = openStripe(settings);
  const here = await openAccount(() => stripe, settings.secretKey).ask();
  const look: Look = { db, stripe, here, site: (await findSite(db)).id, elsewhere: new Map() };
  const reports = [
    await auditIntents(look, period),
    await auditRefunds(look, period),
    await auditDisputes(look, period),
    await auditWarnings(look, period),
  ];
  return [reportKeys(look), ...reports];
}

/** Whether the keys can see it. What they cannot is counted, by whose it is. */
function isHere({ here, elsewhere }: Look, kind: Kind, row: Belonging): boolean {
  if (belongsTo(row, here)) return true;
  const whose = accountName({ id: row.account, livemode: row.livemode === true });
  const counts = elsewhere.get(whose) ?? { payments: 0, refunds: 0, disputes: 0 };
  elsewhere.set(whose, { ...counts, [kind]: counts[kind] + 1 });
  return false;
}

const reportKeys = ({ here, elsewhere }: Look): Report => ({
  name: 'keys of the provider',
  counts: `those of ${accountName(here)}`,
  faults: [...elsewhere].map(([whose, { payments, refunds, disputes }]) => ({
    id: whose,
    fault: `${payments} payments, ${refunds} refunds and ${disputes} disputes were made with its keys and are not looked for: those given are of ${accountName(here)}, which knows nothing of them. Nothing is missing by that. Run the audit with the keys of ${whose}`,
  })),
});

// Restricted keys that may not say whose they are can be another's in the same mode.
const madeWith = ({ here }: Look, { account }: Belonging) =>
  here.id === null && account !== null ? `, which was made with keys of ${account}: whose these are they may not say` : '';

async function auditIntents(look: Look, period: Period): Promise<Report> {
  const { db, stripe, site } = look;
  const intents = await listAll(stripe.paymentIntents.list({ ...created(period), limit: 100 }));
  const known = new Map(
    (
      await queries.listPaymentsOfIntents(
        db,
        intents.map(({ id }) => id),
      )
    ).map((row) => [row.intent_id, row]),
  );
  const returned = new Set(
    (
      await listFoundOf(
        db,
        intents.map(({ id }) => id),
      )
    ).map((row) => row.intent_id),
  );
  const faults = intents.flatMap((intent): Fault[] => {
    const row = known.get(intent.id);
    // It was found and goes back: how far that has got is a book of its own.
    if (!row && returned.has(intent.id)) return [];
    // Without our metadata it is somebody else's business with the same provider, and another site's with its own.
    const { paymentId, site: madeBy = site } = intent.metadata;
    if (!row) return paymentId && madeBy === site ? [{ id: intent.id, fault: unknownIntent(intent) }] : [];
    return faultOfIntent(intent, row);
  });
  const listed = new Set(intents.map(({ id }) => id));
  for (const row of await queries.listPaidBetween(db, period)) {
    if (row.intent_id === null || listed.has(row.intent_id) || !isHere(look, 'payments', row)) continue;
    // It may be older or newer there by a moment.
    const intent = await found(stripe.paymentIntents.retrieve(row.intent_id));
    const gone = { id: row.id, fault: `the provider does not know intent ${row.intent_id}${madeWith(look, row)}` };
    faults.push(...(intent ? faultOfIntent(intent, row) : [gone]));
  }
  return { name: 'payments at the provider', counts: `${intents.length} intents, ${known.size} of them ours`, faults };
}

const unknownIntent = ({ metadata, status, amount_received, currency }: Stripe.PaymentIntent) =>
  `the intent names payment ${metadata['paymentId']} and no payment knows it: it is ${status}, with ${amount_received} ${currency} taken`;

function faultOfIntent(intent: Stripe.PaymentIntent, row: queries.PaymentRow): Fault[] {
  const isTaken = intent.status === 'succeeded';
  if (isTaken !== isPaid(row)) {
    return [{ id: row.id, fault: `the payment is ${row.status}, its intent ${intent.id} is ${intent.status}` }];
  }
  const taken = `${intent.amount_received} ${intent.currency.toUpperCase()}`;
  const booked = `${row.captured_minor} ${row.currency}`;
  return isTaken && taken !== booked ? [{ id: row.id, fault: `the payment says ${booked}, its intent ${intent.id} ${taken}` }] : [];
}

async function auditRefunds(look: Look, period: Period): Promise<Report> {
  const { db, stripe } = look;
  const made = await listAll(stripe.refunds.list({ ...created(period), limit: 100 }));
  const ours = new Map(
    (
      await queries.listPaymentsOfIntents(
        db,
        made.flatMap((one) => idOf(one.payment_intent) ?? []),
      )
    ).map((row) => [row.intent_id, row.id]),
  );
  const known = new Map(
    (
      await queries.listRefundsOf(
        db,
        made.map(({ id }) => id),
      )
    ).map((row) => [row.provider_id, row]),
  );
  const faults = made.flatMap((one): Fault[] => {
    const row = known.get(one.id);
    if (row) return faultOfRefund(one, row);
    const paymentId = ours.get(idOf(one.payment_intent));
    return paymentId && !hasFailed(statusOf(one.status))
      ? [{ id: paymentId, fault: `the books do not know refund ${one.id} of ${one.amount}, which is ${one.status}` }]
      : [];
  });
  for (const row of await queries.listRefundsBetween(db, period)) {
    if (row.provider_id === null || known.has(row.provider_id) || !isHere(look, 'refunds', row)) continue;
    const one = await found(stripe.refunds.retrieve(row.provider_id));
    faults.push(...(one ? faultOfRefund(one, row) : [{ id: row.id, fault: `the provider does not know refund ${row.provider_id}` }]));
  }
  return { name: 'refunds at the provider', counts: `${made.length} refunds, ${known.size} of them in the books`, faults };
}

function faultOfRefund(made: Stripe.Refund, row: queries.RefundRow): Fault[] {
  const status = made.status === 'requires_action' ? 'pending' : made.status;
  if (status === row.status && made.amount === row.amount_minor) return [];
  return [
    { id: row.id, fault: `the books say ${row.status} ${row.amount_minor}, the provider’s refund ${made.id} ${status} ${made.amount}` },
  ];
}

async function auditDisputes(look: Look, period: Period): Promise<Report> {
  const { db, stripe } = look;
  const all = await listAll(stripe.disputes.list({ ...created(period), limit: 100 }));
  const ours = new Map(
    (
      await queries.listPaymentsOfIntents(
        db,
        all.flatMap((one) => idOf(one.payment_intent) ?? []),
      )
    ).map((row) => [row.intent_id, row.id]),
  );
  const known = new Map(
    (
      await queries.listDisputesBetween(
        db,
        period,
        all.map(({ id }) => id),
      )
    ).map((row) => [row.provider_id, row]),
  );
  const faults = all.flatMap((one): Fault[] => {
    const row = known.get(one.id);
    const paymentId = ours.get(idOf(one.payment_intent));
    if (!row)
      return paymentId
        ? [{ id: paymentId, fault: `the books do not know dispute ${one.id} of ${one.amount}, which is ${one.status}` }]
        : [];
    if (row.status === one.status && row.amount_minor === one.amount) return [];
    return [
      {
        id: row.id,
        fault: `the books say ${row.status} ${row.amount_minor}, the provider’s dispute ${one.id} ${one.status} ${one.amount}`,
      },
    ];
  });
  const listed = new Set(all.map(({ id }) => id));
  for (const row of known.values()) {
    if (!listed.has(row.provider_id) && isHere(look, 'disputes', row))
      faults.push({ id: row.id, fault: `the provider does not list dispute ${row.provider_id}` });
  }
  return { name: 'disputes at the provider', counts: `${all.length} disputes, ${known.size} in the books`, faults };
}

async function auditWarnings({ db, stripe }: Look, period: Period): Promise<Report> {
  const all = await listAll(stripe.radar.earlyFraudWarnings.list({ ...created(period), limit: 100 }));
  const ours = new Map(
    (
      await queries.listPaymentsOfIntents(
        db,
        all.flatMap((one) => idOf(one.payment_intent) ?? []),
      )
    ).map((row) => [row.intent_id, row.id]),
  );
  const known = new Set(
    await queries.listWarningsOf(
      db,
      all.map(({ id }) => id),
    ),
  );
  const faults = all.flatMap((one): Fault[] => {
    const paymentId = ours.get(idOf(one.payment_intent));
    return paymentId && !known.has(one.id) ? [{ id: paymentId, fault: `the books do not know warning ${one.id} of fraud` }] : [];
  });
  return { name: 'warnings at the provider', counts: `${all.length} warnings, ${known.size} in the books`, faults };
}

/** Every page of a list. */
const listAll = <T>(list: AsyncIterable<T>): Promise<T[]> =>
  atProvider(
    (async () => {
      const all: T[] = [];
      for await (const one of list) all.push(one);
      return all;
    })(),
  );

/** Undefined where the provider does not know it. */
const found = <T>(call: Promise<T>): Promise<T | undefined> =>
  atProvider(call).catch((error: unknown) => {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  });
