import type { Tx } from '../../../kit/database/database.ts';
import { defineJob } from '../../../kit/jobs/jobs.ts';
import type { Parts } from '../payments.parts.ts';
import { patientJob } from '../payments.rules.ts';
import { insertRefund } from './payments.refunds.queries.ts';

export const refundPayment = defineJob<{ refundId: string }>('payments.refund-payment', patientJob);

/** Money that could buy nothing goes back, in the transaction that books it. */
export async function returnAll({ context }: Parts, tx: Tx, paymentId: string, amount: number, reason: string): Promise<void> {
  const { id } = await insertRefund(tx, { payment_id: paymentId, amount_minor: amount, source: 'nothing_to_buy', reason });
  await context.jobs.send(tx, refundPayment, { refundId: id });
}
