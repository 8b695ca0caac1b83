import { expect, test } from 'vitest';
import { price, sandbox } from './try-stripe.ts';

const paying = { ...price, payment_method: 'pm_card_visa', confirm: true };

test('answers no call while the provider is down', async () => {
  const { stripe, setFault } = await sandbox();
  setFault('down');
  await expect(stripe.customers.create()).rejects.toMatchObject({ type: 'StripeConnectionError' });
  setFault(null);
  expect((await stripe.customers.list()).data).toEqual([]);
});

test('fails a call this many times without executing it, and stores the failure under its idempotency key', async () => {
  const { stripe, faults } = await sandbox();
  faults.add({ does: 'fail', method: 'POST', path: '/v1/payment_intents', times: 4 });
  const failing = { type: 'StripeAPIError', statusCode: 500, rawType: 'api_error' };
  await stripe.customers.create();
  for (let call = 0; call < 3; call += 1) {
    await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).rejects.toMatchObject(failing);
  }
  await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'two' })).rejects.toMatchObject(failing);
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  expect(await stripe.paymentIntents.create(paying, { idempotencyKey: 'three' })).toMatchObject({ status: 'succeeded' });
  await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).rejects.toMatchObject(failing);
});

test('applies a fault to the matching idempotency keys until all faults are cleared', async () => {
  const { stripe, faults } = await sandbox();
  faults.add({ does: 'fail', idempotencyKey: /^pay/, times: 9 });
  await expect(stripe.paymentIntents.create(price, { idempotencyKey: 'pay-1' })).rejects.toMatchObject({ statusCode: 500 });
  expect(await stripe.paymentIntents.create(price, { idempotencyKey: 'other' })).toMatchObject({ amount: price.amount });
  faults.clear();
  expect(await stripe.paymentIntents.create(price, { idempotencyKey: 'pay-2' })).toMatchObject({ amount: price.amount });
});

test('executes a call once when its response is lost', async () => {
  const { stripe, faults } = await sandbox();
  // The provider's own library repeats a call once if its connection ends.
  faults.add({ does: 'lose-answer', method: 'POST', times: 2 });
  await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).rejects.toMatchObject({ type: 'StripeConnectionError' });
  const { data } = await stripe.paymentIntents.list();
  expect(data).toHaveLength(1);
  expect(await stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).toMatchObject({ id: data[0]?.id, status: 'succeeded' });
});
