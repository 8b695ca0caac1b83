import type { Stripe } from 'stripe';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { isInvalidAtProvider } from '../../kit/outside/provider-error.ts';
import { atProvider } from '../../kit/outside/stripe.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { refundMail } from './payments.mails.ts';
import type { Parts } from './payments.parts.ts';
import * as queries from './payments.queries.ts';
import { patientJob } from './payments.rules.ts';

export const refundPayment = defineJob<{ refundId: string }>('payments.refund-payment', patientJob);

/** Sends money back, once: the refund's id is the key at the provider. */
export async function refund({ context, stripe }: Parts, refundId: string): Promise<void> {
  const { db, jobs, appUrl, clock } = context;
  const row = await queries.findRefund(db, refundId);
  if (!row?.intent_id || row.status === 'succeeded') return;
  const made = await makeRefund(stripe, row.id, row.intent_id);
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await queries.setRefunded(tx, row.id, made.id, clock.now());
    if (numUpdatedRows === 0n) return;
    const user = await findContact(tx, row.user_id);
    const { amount_minor: amountMinor, currency, reason } = row;
    await jobs.send(tx, sendMail, refundMail({ to: user.email, name: user.full_name, amountMinor, currency, reason, appUrl }));
  });
}

async function makeRefund(stripe: Stripe, id: string, intentId: string): Promise<Stripe.Refund> {
  try {
    return await atProvider(stripe.refunds.create({ payment_intent: intentId }, { idempotencyKey: `refund-${id}` }));
  } catch (error) {
    const isDone = isInvalidAtProvider(error) && error.log.code === 'charge_already_refunded';
    // By hand, in the provider's own pages.
    const [made] = isDone ? (await atProvider(stripe.refunds.list({ payment_intent: intentId, limit: 1 }))).data : [];
    if (!made) throw error;
    return made;
  }
}
