import { expect, test } from 'vitest';
import { price, sandbox } from './try-stripe.ts';

test('the provider can be down, and be back', async () => {
  const { stripe, setFault } = await sandbox();
  setFault('down');
  await expect(stripe.customers.create()).rejects.toMatchObject({ type: 'StripeConnectionError' });
  setFault(null);
  expect((await stripe.customers.list()).data).toEqual([]);
});

test('a slow provider carries a call out although its caller gave up', async () => {
  const { stripe, setFault } = await sandbox({ slowMs: 10_000 });
  setFault('slow');
  await expect(stripe.customers.create({}, { timeout: 100 })).rejects.toMatchObject({ type: 'StripeConnectionError' });
  setFault(null);
  expect((await stripe.customers.list()).data).toHaveLength(1);
});

const paying = { ...price, payment_method: 'pm_card_visa', confirm: true };

test('a call fails with nothing done as often as it was asked to, and its key keeps failing for a day', async () => {
  const { stripe, faults } = await sandbox();
  faults.add({ does: 'fail', method: 'POST', path: '/v1/payment_intents', times: 4 });
  const failing = { type: 'StripeAPIError', statusCode: 500, rawType: 'api_error' };
  expect((await stripe.customers.list()).data).toEqual([]);
  await stripe.customers.create();
  for (let call = 0; call < 3; call += 1) {
    await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).rejects.toMatchObject(failing);
  }
  await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'two' })).rejects.toMatchObject(failing);
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  expect(await stripe.paymentIntents.create(paying, { idempotencyKey: 'three' })).toMatchObject({ status: 'succeeded' });
  await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).rejects.toMatchObject(failing);
});

test('a call fails although it was done: who looks finds it, who repeats it under its key does not do it again', async () => {
  const { stripe, faults } = await sandbox();
  faults.add({ does: 'fail-after', path: '/v1/payment_intents', idempotencyKey: /^pay/ });
  for (let call = 0; call < 2; call += 1) {
    await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'pay-1' })).rejects.toMatchObject({ statusCode: 500 });
  }
  expect((await stripe.paymentIntents.list()).data).toMatchObject([{ status: 'succeeded' }]);
});

test('a fault goes on until it is ended, alone or with all others', async () => {
  const { stripe, faults } = await sandbox();
  const end = faults.add({ does: 'fail', path: /^\/v1\/customers/, times: Infinity });
  faults.add({ does: 'busy', path: '/v1/refunds', times: Infinity });
  for (let call = 0; call < 5; call += 1) await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 500 });
  await expect(stripe.customers.retrieve('cus_1')).rejects.toMatchObject({ statusCode: 500 });
  end();
  expect((await stripe.customers.list()).data).toEqual([]);
  await expect(stripe.refunds.list()).rejects.toMatchObject({ statusCode: 429 });
  faults.clear();
  expect((await stripe.refunds.list()).data).toEqual([]);
});

test.each([
  ['unauthorized', { type: 'StripeAuthenticationError', statusCode: 401 }],
  ['expired', { type: 'StripeAuthenticationError', statusCode: 401, code: 'api_key_expired' }],
  ['forbidden', { type: 'StripePermissionError', statusCode: 403 }],
  ['busy', { type: 'StripeRateLimitError', statusCode: 429, code: 'rate_limit' }],
  ['conflict', { type: 'StripeAPIError', statusCode: 409, code: 'idempotency_key_in_use' }],
] as const)('a call that is %s is turned away, with nothing done or kept', async (does, error) => {
  const { stripe, faults } = await sandbox();
  faults.add({ does });
  await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).rejects.toMatchObject(error);
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  expect(await stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).toMatchObject({ status: 'succeeded' });
});

test('a call in the other mode finds nothing', async () => {
  const { stripe, faults } = await sandbox();
  const { id } = await stripe.customers.create();
  faults.add({ does: 'other-mode' });
  await expect(stripe.customers.retrieve(id)).rejects.toThrow('a similar object exists in test mode, but a live mode key was used');
  expect(await stripe.customers.retrieve(id)).toMatchObject({ id, livemode: false });
});

test('the answer of one call is lost, and the call of another', async () => {
  const { stripe, faults } = await sandbox();
  const lost = { type: 'StripeConnectionError' };
  // The provider's own library calls again once where a connection ended.
  faults.add({ does: 'lose-answer', method: 'POST', times: 2 });
  await expect(stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).rejects.toMatchObject(lost);
  const [paid] = (await stripe.paymentIntents.list()).data;
  expect(await stripe.paymentIntents.create(paying, { idempotencyKey: 'one' })).toMatchObject({ id: paid?.id, status: 'succeeded' });
  faults.add({ does: 'cut', method: 'POST', times: 2 });
  await expect(stripe.paymentIntents.create(paying)).rejects.toMatchObject(lost);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('one call is slow and carried out all the same, although its caller gave up', async () => {
  const { stripe, faults } = await sandbox();
  faults.add({ does: 'slow', method: 'POST', ms: 600_000 });
  await expect(stripe.customers.create({}, { timeout: 100 })).rejects.toMatchObject({ type: 'StripeConnectionError' });
  expect((await stripe.customers.list()).data).toHaveLength(1);
  await stripe.customers.create();
  expect((await stripe.customers.list()).data).toHaveLength(2);
});

test('another process brings faults about over HTTP, and ends them', async () => {
  const { stripe, controlOverHttp } = await sandbox();
  await controlOverHttp('fault', { does: 'fail', method: 'GET', path: '/v1/customers', times: 'always' });
  await controlOverHttp('fault', { does: 'busy', path: '/v1/refunds' });
  for (let call = 0; call < 3; call += 1) await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 500 });
  await expect(stripe.refunds.list()).rejects.toMatchObject({ statusCode: 429 });
  expect((await stripe.refunds.list()).data).toEqual([]);
  expect(await stripe.customers.create()).toMatchObject({ object: 'customer' });
  expect((await controlOverHttp('fault', { does: 'invented' })).status).toBe(400);
  await controlOverHttp('fault', { does: 'unauthorized', times: 'always' });
  await expect(stripe.refunds.list()).rejects.toMatchObject({ statusCode: 401 });
  await controlOverHttp('no-faults');
  expect((await stripe.customers.list()).data).toHaveLength(1);
});
