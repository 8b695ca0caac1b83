import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { isInvalidAtProvider } from '../../kit/outside/provider-error.ts';
import { atProvider } from '../../kit/outside/stripe.ts';
import { giveUp } from './intents/payments.give-up.ts';
import { isPaid } from './intents/payments.states.ts';
import type { Parts } from './payments.parts.ts';
import * as queries from './payments.queries.ts';
import { patientJob } from './payments.rules.ts';

export const forgetCustomer = defineJob<{ customerId: string }>('payments.forget-customer', patientJob);

/**
 * Ends what a user has begun to pay, before the account is deleted. Throws `payment_processing` while a bank decides, and where the
 * money arrives at this very moment: then it has bought something, which its owner should look at first.
 */
export async function giveUpAll(parts: Parts, userId: string): Promise<void> {
  const { db } = parts.context;
  for (const payment of await queries.listOpenOf(db, userId)) {
    await giveUp(parts, payment, 'canceled');
    const now = await queries.findPayment(db, payment.id);
    if (now && isPaid(now)) throw new AppError('payment_processing');
  }
}

/**
 * Forgets a user's cards, here and at the provider. Payments, refunds and receipts stay: the books need them. Throws
 * `payment_processing` where something was begun to be paid meanwhile.
 */
export async function forgetPayer({ context }: Parts, tx: Tx, userId: string): Promise<void> {
  if ((await queries.listOpenOf(tx, userId)).length > 0) throw new AppError('payment_processing');
  await queries.forgetCards(tx, userId, context.clock.now());
  const customerId = await queries.takeCustomer(tx, userId);
  if (customerId !== undefined) await context.jobs.send(tx, forgetCustomer, { customerId });
}

/** Deletes a customer at the provider, with name, address and cards. */
export async function deleteCustomer({ stripe }: Parts, customerId: string): Promise<void> {
  try {
    await atProvider(stripe.customers.del(customerId));
  } catch (error) {
    // It is not there any more: that is what was wanted.
    if (!isInvalidAtProvider(error)) throw error;
  }
}
