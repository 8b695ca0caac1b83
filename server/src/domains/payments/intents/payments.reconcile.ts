import { AppError } from '../../../kit/errors.ts';
import { ProviderError } from '../../../kit/outside/provider-error.ts';
import { giveUp } from './payments.give-up.ts';
import { findIntentOf } from './payments.known-intents.ts';
import type { Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { PaymentRow } from '../payments.queries.ts';
import { abandonedAfterHours, nextCheck } from '../payments.rules.ts';
import { settle } from './payments.settle.ts';
import { isOpen } from './payments.states.ts';

/** So many calls in a row that fail are the provider's fault, or our keys', and no payment's: the others wait for the next turn. */
const mostInVain = 3;

/**
 * Asks the provider about payments that were left open: the browser was closed, a webhook was lost, a server died. What
 * nobody has paid for a day is given up.
 */
export async function reconcile(parts: Parts, atOnce = false): Promise<void> {
  const { db, clock } = parts.context;
  const most = 200;
  const failures: unknown[] = [];
  let inVain = 0;
  for (const payment of await queries.listOpenPayments(db, atOnce ? null : clock.now(), most)) {
    await queries.setNextCheck(db, payment.id, nextCheck(payment.created_at, clock.now()));
    try {
      await reconcilePayment(parts, payment);
      inVain = 0;
    } catch (error) {
      // One payment that cannot be booked does not keep the others from it.
      if (error instanceof AppError && error.code === 'payment_processing') continue;
      failures.push(error);
      inVain = error instanceof ProviderError ? inVain + 1 : 0;
      if (inVain === mostInVain) break;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} open payments could not be reconciled`);
}

async function reconcilePayment(parts: Parts, payment: PaymentRow): Promise<void> {
  const intent = await findIntentOf(parts, payment);
  // Nobody ever got its secret, so nobody can pay it.
  if (!intent) return giveUp(parts, payment, 'canceled');
  const settled = await settle(parts, intent);
  const age = parts.context.clock.now().getTime() - payment.created_at.getTime();
  const isAbandoned = age > abandonedAfterHours * 3_600_000 && intent.status !== 'processing';
  if (settled && isOpen(settled) && isAbandoned) await giveUp(parts, settled, 'canceled');
}
