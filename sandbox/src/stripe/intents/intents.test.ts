import { expect, test } from 'vitest';
import { price, sandbox } from '../try-stripe.ts';

test('what was not paid cannot be refunded, and what was paid cannot be cancelled or paid again', async () => {
  const { stripe, confirm, events } = await sandbox();
  const open = await stripe.paymentIntents.create(price);
  await expect(stripe.refunds.create({ payment_intent: open.id })).rejects.toThrow('does not have a successful charge');
  const canceled = await stripe.paymentIntents.cancel(open.id, { cancellation_reason: 'abandoned' });
  expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
  expect((await confirm(open, { payment_method: 'pm_card_visa' })).body.error.code).toBe('payment_intent_unexpected_state');
  const paid = await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true });
  await expect(stripe.paymentIntents.cancel(paid.id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
  const again = await confirm(paid, { payment_method: 'pm_card_visa' });
  expect(again.body.error).toMatchObject({ code: 'payment_intent_unexpected_state', payment_intent: { status: 'succeeded' } });
  await expect(stripe.paymentIntents.update(paid.id, { amount: 99 })).rejects.toMatchObject({ statusCode: 400 });
  expect(await stripe.paymentIntents.update(paid.id, { metadata: { done: '1' } })).toMatchObject({ metadata: { done: '1' } });
  expect((await stripe.charges.list({ payment_intent: paid.id })).data).toHaveLength(1);
  expect(await events()).toContain('payment_intent.canceled');
});
