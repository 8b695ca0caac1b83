import { sql } from 'kysely';
import { dayMs } from '@handwise/contract/dates';
import { eventRetentionDays } from '@handwise/contract/periods';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { verifyWebhookEvent } from '../../kit/integrations/stripe.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { syncCard, syncSetup } from './payments.cards.ts';
import type { Payments } from './payments.context.ts';
import { syncCustomer } from './payments.customers.ts';
import { syncDispute, syncWarning } from './payments.disputes.ts';
import { syncCharge, syncRefund } from './payments.refunds.ts';
import { providerRetry } from './payments.rules.ts';
import { syncIntent } from './payments.settle.ts';

export const processEventJob = defineJob<{ eventId: string }>('payments.process-event', providerRetry);

/**
 * Stores one row and one job per event in one transaction and answers without calling the provider, which may be slow. Throws
 * `webhook_signature_invalid`, which is counted, and `malformed_request`.
 */
export async function receiveEvent(deps: Payments, body: unknown, signature: unknown): Promise<void> {
  const { context } = deps;
  const event = await verifyEvent(deps, body, signature);
  const { object } = event.data;
  const objectId = typeof object.id === 'string' ? object.id : null;
  const isIntent = event.type.startsWith('payment_intent.');
  const now = context.clock.now();
  await context.db.transaction().execute(async (tx) => {
    const isNew = await insertProviderEvent(tx, {
      id: event.id,
      type: event.type,
      object_id: objectId,
      intent_id: isIntent ? objectId : typeof object.payment_intent === 'string' ? object.payment_intent : null,
      account: event.account ?? null,
      livemode: event.livemode,
      created_at: event.created === undefined ? now : new Date(event.created * 1000),
      received_at: now,
    });
    if (isNew && objectId !== null && Object.hasOwn(eventHandlers, event.type)) {
      await context.jobs.send(tx, processEventJob, { eventId: event.id });
    }
  });
}

async function verifyEvent({ context, stripe, webhookSecret }: Payments, body: unknown, signature: unknown) {
  try {
    return verifyWebhookEvent(stripe, body, signature, webhookSecret, context.clock.now());
  } catch (error) {
    if (error instanceof AppError && error.code === 'webhook_signature_invalid') await recordRejectedEvent(context);
    throw error;
  }
}

/** Idempotent. */
export async function processEvent(deps: Payments, eventId: string): Promise<void> {
  const event = await findProviderEvent(deps.context.db, eventId);
  if (!event || event.object_id === null) return;
  await eventHandlers[event.type]?.(deps, { ...event, object_id: event.object_id });
}

export const deleteOldEvents = ({ context: { db, clock } }: Payments): Promise<void> =>
  deleteEventsBefore(db, new Date(clock.now().getTime() - eventRetentionDays * dayMs));

/** Handles an event that may be outdated or repeated: handlers sync the provider's current state and are idempotent. */
export type EventHandler = (deps: Payments, event: ProviderEventRow & { object_id: string }) => Promise<void>;

const syncingWith =
  (sync: (deps: Payments, id: string) => Promise<unknown>): EventHandler =>
  async (deps, event) => {
    await sync(deps, event.object_id);
  };

const onIntent = syncingWith(syncIntent);
const onRefund = syncingWith(syncRefund);
const onDispute = syncingWith(syncDispute);
const onWarning = syncingWith(syncWarning);
const onCard = syncingWith(syncCard);
const onCustomer = syncingWith(syncCustomer);
const onSetup = syncingWith(syncSetup);

/** The event types that the webhook endpoint must receive, with their handlers. */
export const eventHandlers: Readonly<Record<string, EventHandler>> = {
  'payment_intent.succeeded': onIntent,
  'payment_intent.processing': onIntent,
  'payment_intent.payment_failed': onIntent,
  'payment_intent.canceled': onIntent,
  'setup_intent.succeeded': onSetup,
  'payment_method.updated': onCard,
  'payment_method.automatically_updated': onCard,
  'payment_method.detached': onCard,
  'customer.deleted': onCustomer,
  'refund.created': onRefund,
  'refund.updated': onRefund,
  'refund.failed': onRefund,
  'charge.refund.updated': onRefund,
  'charge.refunded': syncingWith(syncCharge),
  'charge.dispute.created': onDispute,
  'charge.dispute.updated': onDispute,
  'charge.dispute.closed': onDispute,
  'charge.dispute.funds_withdrawn': onDispute,
  'charge.dispute.funds_reinstated': onDispute,
  'radar.early_fraud_warning.created': onWarning,
  'radar.early_fraud_warning.updated': onWarning,
};

const hourMs = 3_600_000;

/** Events with an invalid signature in the last hour, since when, and the time of the last valid one. */
export async function getRejectedEvents({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const [{ refused, since }, lastTaken] = await Promise.all([
    countRejectedEvents(db, new Date(clock.now().getTime() - hourMs)),
    findLastEventTime(db),
  ]);
  return { refused, since, lastTaken: lastTaken?.toISOString() ?? null };
}

/** Logs only the first invalid signature of each minute, because strangers may send many. */
async function recordRejectedEvent(context: Pick<Context, 'db' | 'clock' | 'logger'>): Promise<void> {
  const inThisMinute = await incrementRejectedEvents(context.db, context.clock.now());
  if (inThisMinute > 1) return;
  context.logger.warn(
    await getRejectedEvents(context),
    'rejected webhook events of the payment provider with an invalid signature: if none is accepted, STRIPE_WEBHOOK_SECRET is wrong',
  );
}

const eventColumns = ['id', 'type', 'object_id', 'intent_id', 'created_at', 'received_at'] as const;

type ProviderEventRow = NonNullable<Awaited<ReturnType<typeof findProviderEvent>>>;

type NewProviderEvent = Omit<ProviderEventRow, 'received_at'> & { account: string | null; livemode: boolean; received_at: Date };

/** True when it is new. */
const insertProviderEvent = async (tx: Tx, event: NewProviderEvent) =>
  (await tx
    .insertInto('provider_events')
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

const findProviderEvent = (db: Reader, id: string) =>
  db.selectFrom('provider_events').select(eventColumns).where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listEventsOfIntent = (db: Reader, intentId: string, most: number) =>
  db
    .selectFrom('provider_events')
    .select(['id', 'type', 'created_at', 'received_at'])
    .where('intent_id', '=', intentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

const findLastEventTime = async (db: Reader) =>
  (await db.selectFrom('provider_events').select('received_at').orderBy('received_at', 'desc').limit(1).executeTakeFirst())?.received_at;

/** Counts an event with an invalid signature and returns this minute's count. */
const incrementRejectedEvents = async (db: Reader, now: Date) =>
  (
    await db
      .insertInto('provider_refusals')
      .values({ minute: sql<Date>`date_trunc('minute', ${now}::timestamptz)`, refused: 1 })
      .onConflict((conflict) => conflict.column('minute').doUpdateSet({ refused: sql`provider_refusals.refused + 1` }))
      .returning('refused')
      .executeTakeFirstOrThrow()
  ).refused;

const countRejectedEvents = (db: Reader, from: Date) =>
  db
    .selectFrom('provider_refusals')
    .select(({ cast, fn }) => [
      cast<number>(fn.coalesce(fn.sum('refused'), sql`0`), 'integer').as('refused'),
      fn.min<Date | null>('minute').as('since'),
    ])
    .where('minute', '>=', from)
    .executeTakeFirstOrThrow();

async function deleteEventsBefore(db: Reader, received: Date): Promise<void> {
  await db.deleteFrom('provider_events').where('received_at', '<', received).execute();
  await db.deleteFrom('provider_refusals').where('minute', '<', received).execute();
}
