import type { Stripe } from 'stripe';
import { defineJob } from '../../../kit/jobs/jobs.ts';
import { sendMail } from '../../../kit/mail/mail.ts';
import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import type { Parts } from '../payments.parts.ts';
import { patientJob } from '../payments.rules.ts';
import { hasFailed, isUnderWay, statusOf } from '../refunds/payments.refunds.states.ts';
import { returnedMail } from './payments.found.mails.ts';
import * as queries from './payments.found.queries.ts';
import type { FoundRow } from './payments.found.queries.ts';

export const returnFound = defineJob<{ intentId: string }>('payments.return-found', patientJob);

const isOnItsWay = ({ status }: Stripe.Refund) => !hasFailed(statusOf(status));

/** Sends back what was found and belongs to nobody here, as far as it has not gone back: once, however often it is asked to. */
export async function sendFoundBack(parts: Parts, intentId: string): Promise<void> {
  const row = await queries.findFound(parts.context.db, intentId);
  if (!row?.refund_status || !isUnderWay(row.refund_status)) return;
  const made = await atProvider(parts.stripe.refunds.list({ payment_intent: intentId, limit: 100 }).autoPagingToArray({ limit: 1_000 }));
  const ours = row.refund_id === null ? undefined : made.find(({ id }) => id === row.refund_id);
  const back = made.filter(isOnItsWay).reduce((sum, { amount }) => sum + amount, 0);
  const last = ours ?? made.find(isOnItsWay);
  const refund = ours ?? (last && back >= row.amount_minor ? last : await send(parts, row, row.amount_minor - back));
  await keep(parts, row, refund);
}

// An earlier restore, or somebody on the provider's pages, may have sent some of it back.
const send = ({ stripe }: Parts, { intent_id: intent }: FoundRow, amount: number) =>
  atProvider(
    stripe.refunds.create(
      { payment_intent: intent, amount, metadata: { foundIntent: intent } },
      { idempotencyKey: `found-${intent}-${amount}` },
    ),
  );

async function keep(parts: Parts, row: FoundRow, refund: Stripe.Refund): Promise<void> {
  const { db, jobs, appUrl, logger } = parts.context;
  const status = statusOf(refund.status);
  if (row.refund_id === refund.id && row.refund_status === status) return;
  const payer = row.refund_id === null ? await payerOf(parts, row.intent_id) : undefined;
  await db.transaction().execute(async (tx) => {
    await queries.setRefund(tx, row.intent_id, { refund_id: refund.id, refund_status: status });
    if (payer) await jobs.send(tx, sendMail, returnedMail({ ...payer, ...row, appUrl }));
  });
  if (isOnItsWay(refund)) return;
  logger.error(
    { intentId: row.intent_id, refund: refund.id, status },
    'the refund of a payment that was found did not arrive: send it by hand',
  );
}

/** Whom the provider knows as the payer. Undefined where it has forgotten them as well. */
async function payerOf({ stripe }: Parts, intentId: string): Promise<{ to: string; name: string } | undefined> {
  const { customer } = await atProvider(stripe.paymentIntents.retrieve(intentId));
  if (!customer) return undefined;
  try {
    const known = await atProvider(stripe.customers.retrieve(typeof customer === 'string' ? customer : customer.id));
    return known.deleted || !known.email ? undefined : { to: known.email, name: known.name ?? '' };
  } catch (error) {
    if (!isMissingAtProvider(error)) throw error;
    return undefined;
  }
}
