import { dayMs } from '@handwise/contract/dates';
import { keptEventDays } from '@handwise/contract/periods';
import { AppError } from '../../../kit/errors.ts';
import { defineJob } from '../../../kit/jobs/jobs.ts';
import { signedEvent } from '../../../kit/outside/stripe.ts';
import type { Parts } from '../payments.parts.ts';
import { patientJob } from '../payments.rules.ts';
import { eventHandlers } from './payments.event-handlers.ts';
import * as queries from './payments.event-queries.ts';
import { countRefusal } from './payments.refusals.ts';

export const workOffEvent = defineJob<{ eventId: string }>('payments.work-off-event', patientJob);

/**
 * Takes what the provider tells: one row and one job for each event, in one transaction, and nothing else before the answer. The provider
 * itself is not asked meanwhile, however slow it is. Throws `webhook_signature_invalid`, which is counted, and `malformed_request`.
 */
export async function receive(parts: Parts, webhookSecret: string, body: unknown, signature: unknown): Promise<void> {
  const { context } = parts;
  const event = await readSigned(parts, webhookSecret, body, signature);
  const { object } = event.data;
  const objectId = typeof object.id === 'string' ? object.id : null;
  const isIntent = event.type.startsWith('payment_intent.');
  const now = context.clock.now();
  await context.db.transaction().execute(async (tx) => {
    const isNew = await queries.insertEvent(tx, {
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
      await context.jobs.send(tx, workOffEvent, { eventId: event.id });
    }
  });
}

async function readSigned({ context, stripe }: Parts, webhookSecret: string, body: unknown, signature: unknown) {
  try {
    return signedEvent(stripe, body, signature, webhookSecret, context.clock.now());
  } catch (error) {
    if (error instanceof AppError && error.code === 'webhook_signature_invalid') await countRefusal(context);
    throw error;
  }
}

/** Does what an event calls for, as often as it is asked to. */
export async function workOff(parts: Parts, eventId: string): Promise<void> {
  const event = await queries.findEvent(parts.context.db, eventId);
  if (!event || event.object_id === null) return;
  await eventHandlers[event.type]?.(parts, { ...event, object_id: event.object_id });
}

export const deleteOldEvents = ({ context: { db, clock } }: Parts): Promise<void> =>
  queries.deleteBefore(db, new Date(clock.now().getTime() - keptEventDays * dayMs));
