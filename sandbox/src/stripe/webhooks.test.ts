import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { startStripe } from './start-stripe.ts';
import { price, publishableKey, sandbox, sdk, secretKey, webhook, webhookSecret } from './try-stripe.ts';

test('reach the server signed, and again until it says 200', async () => {
  const { received, url } = await webhook(500, 503, 302);
  const { stripe } = await sandbox({ webhookUrl: () => url });
  await stripe.customers.create({ email: 'mere@example.org' });
  await expect.poll(() => received).toHaveLength(4);
  for (const { body, signature } of received) {
    const event = stripe.webhooks.constructEvent(body, signature, webhookSecret);
    expect(event).toMatchObject({ type: 'customer.created', api_version: Stripe.API_VERSION, data: { object: { object: 'customer' } } });
    expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow('No signatures found');
  }
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  await expect.poll(async () => (await stripe.events.list()).data).toMatchObject([{ pending_webhooks: 0 }]);
  expect(received).toHaveLength(4);
});

test('wait for a server that is not there yet, also over a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stripe.sqlite');
  const first = await startStripe({ file, port: 0, secretKey, publishableKey, webhookSecret, webhookUrl: () => null });
  await sdk(first.url).paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true });
  await first.close();
  const hook = await webhook();
  await sandbox({ file, webhookUrl: () => hook.url });
  await expect.poll(() => hook.types().toSorted()).toEqual(['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded']);
});

test('can be lost, and one event can be delivered any number of times', async () => {
  const hook = await webhook();
  const { stripe, setFault, deliver } = await sandbox({ webhookUrl: () => hook.url });
  setFault('drop-webhooks');
  await stripe.paymentIntents.create(price);
  setFault(null);
  await stripe.customers.create();
  await expect.poll(hook.types).toEqual(['customer.created']);
  const [lost] = (await stripe.events.list({ type: 'payment_intent.created' })).data;
  expect(await Promise.all([deliver(lost?.id ?? ''), deliver(lost?.id ?? '')])).toEqual([200, 200]);
  expect(hook.types()).toEqual(['customer.created', 'payment_intent.created', 'payment_intent.created']);
});

test('can be withheld, all or by their type, and come once that is over', async () => {
  const hook = await webhook();
  const { stripe, pay, setDelivery } = await sandbox({ webhookUrl: () => hook.url });
  setDelivery({ withhold: (type) => type === 'payment_intent.succeeded' });
  await pay();
  await expect.poll(() => hook.types().toSorted()).toEqual(['charge.succeeded', 'payment_intent.created']);
  setDelivery({ withhold: true });
  await stripe.customers.create();
  expect((await stripe.events.list({ type: 'customer.created' })).data).toMatchObject([{ pending_webhooks: 1 }]);
  setDelivery({ withhold: (type) => type !== 'customer.created' });
  await expect.poll(() => hook.types().slice(2)).toEqual(['customer.created']);
  setDelivery({});
  await expect.poll(() => hook.types().slice(3)).toEqual(['payment_intent.succeeded']);
});

test.each([
  ['forwards', ['payment_intent.created', 'charge.succeeded', 'payment_intent.succeeded']],
  ['backwards', ['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created']],
] as const)('can come one after the other, %s', async (order, types) => {
  const hook = await webhook();
  const { pay, setDelivery } = await sandbox({ webhookUrl: () => hook.url });
  setDelivery({ withhold: true });
  await pay();
  setDelivery({ order });
  await expect.poll(hook.types).toEqual(types);
});

test('can come several times each', async () => {
  const hook = await webhook();
  const { stripe, setDelivery } = await sandbox({ webhookUrl: () => hook.url });
  setDelivery({ copies: 3 });
  await stripe.customers.create();
  await expect.poll(async () => (await stripe.events.list()).data).toMatchObject([{ pending_webhooks: 0 }]);
  expect(hook.types()).toEqual(['customer.created', 'customer.created', 'customer.created']);
  expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
});

test('can be signed with another secret, or long ago, and come again rightly', async () => {
  const hook = await webhook(400, 400);
  const { stripe, setDelivery } = await sandbox({ webhookUrl: () => hook.url });
  const read = ({ body, signature }: { body: string; signature: string }) => stripe.webhooks.constructEvent(body, signature, webhookSecret);
  setDelivery({ secret: 'whsec_other' });
  await stripe.customers.create();
  await expect.poll(() => hook.received).toHaveLength(1);
  setDelivery({ signedAgo: 3600 });
  await expect.poll(() => hook.received).toHaveLength(2);
  setDelivery({});
  await expect.poll(() => hook.received).toHaveLength(3);
  const [forged, old, right] = hook.received.map((one) => () => read(one));
  expect(forged).toThrow('No signatures found');
  expect(old).toThrow('Timestamp outside the tolerance zone');
  expect(right?.()).toMatchObject({ type: 'customer.created' });
});

test('are held back, doubled and turned round by another process over HTTP', async () => {
  const hook = await webhook();
  const { stripe, pay, controlOverHttp } = await sandbox({ webhookUrl: () => hook.url });
  await controlOverHttp('delivery', { withhold: 'true' });
  await pay();
  await controlOverHttp('delivery', { order: 'backwards', copies: '2' });
  await expect.poll(async () => (await stripe.events.list()).data.every((event) => event.pending_webhooks === 0)).toBe(true);
  const [last, middle, first] = ['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created'];
  expect(hook.types()).toEqual([last, last, middle, middle, first, first]);
  await controlOverHttp('no-faults');
  await stripe.customers.create();
  await expect.poll(() => hook.types().slice(6)).toEqual(['customer.created']);
});

test('come as they were asked for at the provider, where somebody did', async () => {
  const hook = await webhook();
  const { stripe, pay } = await sandbox({ webhookUrl: () => hook.url });
  await stripe.webhookEndpoints.create({ url: 'https://elsewhere.example/', enabled_events: ['refund.failed'] });
  await stripe.customers.create();
  await expect.poll(hook.types).toEqual(['customer.created']);
  const { id } = await stripe.webhookEndpoints.create({ url: hook.url, enabled_events: ['charge.succeeded'] });
  await pay();
  await expect.poll(() => hook.types().slice(1)).toEqual(['charge.succeeded']);
  expect((await stripe.events.list({ type: 'payment_intent.succeeded' })).data).toMatchObject([{ pending_webhooks: 0 }]);
  await stripe.webhookEndpoints.update(id, { disabled: true });
  await pay();
  expect((await stripe.events.list({ type: 'charge.succeeded', limit: 1 })).data).toMatchObject([{ pending_webhooks: 0 }]);
  await stripe.webhookEndpoints.update(id, { disabled: false, enabled_events: ['*'] });
  await stripe.customers.create();
  await expect.poll(() => hook.types().slice(2)).toEqual(['customer.created']);
});
