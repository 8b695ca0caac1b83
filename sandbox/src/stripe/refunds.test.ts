import { expect, test } from 'vitest';
import { sandbox } from './try-stripe.ts';

test('refunds the rest of a charge or a part of it, and never more than is left', async () => {
  const { stripe, pay, charge, eventsOf } = await sandbox();
  const intent = await pay();
  const some = await eventsOf(() => stripe.refunds.create({ payment_intent: intent.id, amount: 500, metadata: { why: 'a part' } }));
  expect(some.map(({ type }) => type)).toEqual(['refund.created', 'charge.refunded']);
  expect(some[0]?.data.object).toMatchObject({ object: 'refund', amount: 500, status: 'succeeded', payment_intent: intent.id });
  expect(await charge(intent)).toMatchObject({ amount_refunded: 500, refunded: false });
  await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 1001 })).rejects.toMatchObject({
    statusCode: 400,
    param: 'amount',
    message: 'Refund amount ($10.01) is greater than unrefunded amount on charge ($10.00)',
  });
  await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 1501 })).rejects.toMatchObject({
    message: 'Refund amount ($15.01) is greater than charge amount ($15.00)',
  });
  for (const amount of [0, -1]) {
    await expect(stripe.refunds.create({ payment_intent: intent.id, amount })).rejects.toMatchObject({ code: 'parameter_invalid_integer' });
  }
  const rest = await stripe.refunds.create({ payment_intent: intent.id });
  expect(rest.amount).toBe(1000);
  expect(await charge(intent)).toMatchObject({ amount_refunded: 1500, refunded: true });
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({ code: 'charge_already_refunded' });
  const { data } = await stripe.refunds.list({ payment_intent: intent.id });
  expect(data.map(({ id }) => id)).toContain(rest.id);
  expect(data).toHaveLength(2);
  expect(await stripe.refunds.retrieve(rest.id)).toEqual(rest);
});

test('leaves a refund to 4000 0000 0000 7726 pending until it succeeds later', async () => {
  const { stripe, pay, charge, eventsOf, control } = await sandbox();
  const intent = await pay('pm_card_pendingRefund');
  const refund = await stripe.refunds.create({ payment_intent: intent.id });
  expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' });
  expect(await charge(intent)).toMatchObject({ amount_refunded: 1500, refunded: true });
  const later = await eventsOf(() => control.settle());
  expect(later.map(({ type }) => type)).toEqual(['refund.updated', 'charge.refund.updated']);
  expect(later[0]?.data.object).toMatchObject({ id: refund.id, status: 'succeeded' });
  expect(await stripe.refunds.retrieve(refund.id)).not.toHaveProperty('pending_reason');
  expect(await eventsOf(() => control.settle())).toEqual([]);
});

test('completes a pending refund after its time', async () => {
  const { stripe, pay } = await sandbox({ processingMs: 1 });
  const { id } = await stripe.refunds.create({ payment_intent: (await pay('pm_card_pendingRefund')).id });
  await expect.poll(async () => (await stripe.refunds.retrieve(id)).status).toBe('succeeded');
});

test('a refund to 4000 0000 0000 5126 succeeds and fails later, and its amount can be refunded again', async () => {
  const { stripe, pay, charge, eventsOf, control } = await sandbox();
  const intent = await pay('pm_card_refundFail');
  const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 400 });
  expect(refund.status).toBe('succeeded');
  const later = await eventsOf(() => control.settle());
  expect(later.map(({ type }) => type)).toEqual(['refund.updated', 'charge.refund.updated', 'refund.failed']);
  const failed = await stripe.refunds.retrieve(refund.id);
  expect(failed).toMatchObject({
    status: 'failed',
    failure_reason: 'expired_or_canceled_card',
  });
  expect(await charge(intent)).toMatchObject({ amount_refunded: 0, refunded: false });
  expect(await stripe.refunds.create({ payment_intent: intent.id })).toMatchObject({ amount: 1500 });
});

test('lets a pending refund require action, be canceled or fail for a reason, and ends it once', async () => {
  const { stripe, pay, control } = await sandbox();
  const intent = await pay('pm_card_pendingRefund');
  const refundSome = async () => (await stripe.refunds.create({ payment_intent: intent.id, amount: 100 })).id;
  const waits = await refundSome();
  control.moveRefund(waits, 'requires_action');
  expect(control.moveRefund(waits, 'canceled')).toMatchObject({ status: 'canceled' });
  const fails = await refundSome();
  control.moveRefund(fails, 'failed', 'lost_or_stolen_card');
  expect(await stripe.refunds.retrieve(fails)).toMatchObject({ status: 'failed', failure_reason: 'lost_or_stolen_card' });
  for (const ended of [waits, fails]) expect(() => control.moveRefund(ended, 'succeeded')).toThrow('does not become succeeded');
  control.settle();
  expect((await stripe.refunds.list({ payment_intent: intent.id })).data.map(({ status }) => status)).toEqual(['failed', 'canceled']);
});

test('rejects a refund and a dispute of an unpaid intent', async () => {
  const { stripe, control } = await sandbox();
  const open = await stripe.paymentIntents.create({ amount: 1500, currency: 'nzd' });
  await expect(stripe.refunds.create({ payment_intent: open.id })).rejects.toMatchObject({ param: 'payment_intent' });
  expect(() => control.openDispute(open.id)).toThrow('nothing was paid');
});
