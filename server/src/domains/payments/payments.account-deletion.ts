import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { isInvalidProviderRequest } from '../../kit/integrations/provider-error.ts';
import { callProvider } from '../../kit/integrations/stripe.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { anonymizeCards, deleteCustomerOfUser } from './payments.cards.queries.ts';
import type { Payments } from './payments.context.ts';
import { findPayment, listOpenPaymentsOfUser } from './payments.queries.ts';
import { providerRetry } from './payments.rules.ts';
import { cancelPayment } from './payments.settle.ts';
import { isPaid } from './payments.states.ts';

export const deleteCustomerJob = defineJob<{ customerId: string }>('payments.delete-customer', providerRetry);

/**
 * Cancels a user's open payments before the account is deleted. Throws `payment_processing` while a bank decides, and when the money
 * arrives at this moment: its owner should first see what it bought.
 */
export async function cancelOpenPayments(deps: Payments, userId: string): Promise<void> {
  const { db } = deps.context;
  for (const payment of await listOpenPaymentsOfUser(db, userId)) {
    await cancelPayment(deps, payment);
    const now = await findPayment(db, payment.id);
    if (now && isPaid(now)) throw new AppError('payment_processing');
  }
}

/**
 * Deletes a user's cards here and at the provider. Payments, refunds and receipts stay because the ledger needs them. Throws
 * `payment_processing` when another payment was started meanwhile.
 */
export async function deletePayer({ context }: Payments, tx: Tx, userId: string): Promise<void> {
  if ((await listOpenPaymentsOfUser(tx, userId)).length > 0) throw new AppError('payment_processing');
  await anonymizeCards(tx, userId, context.clock.now());
  const customerId = await deleteCustomerOfUser(tx, userId);
  if (customerId !== undefined) await context.jobs.send(tx, deleteCustomerJob, { customerId });
}

/** Deletes a customer at the provider, with name, address and cards. */
export async function deleteCustomer({ stripe }: Payments, customerId: string): Promise<void> {
  try {
    await callProvider(stripe.customers.del(customerId));
  } catch (error) {
    // The customer is already gone.
    if (!isInvalidProviderRequest(error)) throw error;
  }
}
