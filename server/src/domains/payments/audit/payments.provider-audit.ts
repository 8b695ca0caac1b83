import type { Stripe } from 'stripe';
import type { Db } from '../../../kit/database/database.ts';
import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { listFoundOf } from '../found/payments.found.queries.ts';
import * as queries from './payments.audit-queries.ts';

type Period = { from: Date; to: Date };
type Fault = { id: string; fault: string };
type Report = { name: string; counts: string; faults: Fault[] };

const idOf = (one: string | { id: string } | null | undefined) => (typeof one === 'string' ? one : (one?.id ?? null));
const created = ({ from, to }: Period) => ({ created: { gte: Math.floor(from.getTime() / 1000), lt: Math.ceil(to.getTime() / 1000) } });

/**
 * Holds payments, refunds, disputes and warnings of a period against the provider's own lists, and names each difference. A period is by the
 * provider's time of each thing. Changes nothing, here or there.
 */
export const auditProvider = async (db: Db, stripe: Stripe, period: Period): Promise<Report[]> => [
  await auditIntents(db, stripe, period),
  await auditRefunds(db, stripe, period),
  await auditDisputes(db, stripe, period),
  await auditWarnings(db, stripe, period),
];

async function auditIntents(db: Db, stripe: Stripe, period: Period): Promise<Report> {
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
    // Without our metadata it is somebody else's business with the same provider.
    if (!row) return intent.metadata['paymentId'] ? [{ id: intent.id, fault: unknownIntent(intent) }] : [];
    return faultOfIntent(intent, row);
  });
  const listed = new Set(intents.map(({ id }) => id));
  for (const row of await queries.listPaidBetween(db, period)) {
    if (row.intent_id === null || listed.has(row.intent_id)) continue;
    // It may be older or newer there by a moment.
    const intent = await found(stripe.paymentIntents.retrieve(row.intent_id));
    faults.push(...(intent ? faultOfIntent(intent, row) : [{ id: row.id, fault: `the provider does not know intent ${row.intent_id}` }]));
  }
  return { name: 'payments at the provider', counts: `${intents.length} intents, ${known.size} of them ours`, faults };
}

const unknownIntent = ({ metadata, status, amount_received, currency }: Stripe.PaymentIntent) =>
  `the intent names payment ${metadata['paymentId']} and no payment knows it: it is ${status}, with ${amount_received} ${currency} taken`;

function faultOfIntent(intent: Stripe.PaymentIntent, row: queries.PaymentRow): Fault[] {
  const isPaid = intent.status === 'succeeded';
  if (isPaid !== (row.status === 'succeeded')) {
    return [{ id: row.id, fault: `the payment is ${row.status}, its intent ${intent.id} is ${intent.status}` }];
  }
  const taken = `${intent.amount_received} ${intent.currency.toUpperCase()}`;
  const booked = `${row.captured_minor} ${row.currency}`;
  return isPaid && taken !== booked ? [{ id: row.id, fault: `the payment says ${booked}, its intent ${intent.id} ${taken}` }] : [];
}

async function auditRefunds(db: Db, stripe: Stripe, period: Period): Promise<Report> {
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
    const isOver = one.status === 'failed' || one.status === 'canceled';
    return paymentId && !isOver
      ? [{ id: paymentId, fault: `the books do not know refund ${one.id} of ${one.amount}, which is ${one.status}` }]
      : [];
  });
  for (const row of await queries.listRefundsBetween(db, period)) {
    if (row.provider_id === null || known.has(row.provider_id)) continue;
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

async function auditDisputes(db: Db, stripe: Stripe, period: Period): Promise<Report> {
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
    if (!listed.has(row.provider_id)) faults.push({ id: row.id, fault: `the provider does not list dispute ${row.provider_id}` });
  }
  return { name: 'disputes at the provider', counts: `${all.length} disputes, ${known.size} in the books`, faults };
}

async function auditWarnings(db: Db, stripe: Stripe, period: Period): Promise<Report> {
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
