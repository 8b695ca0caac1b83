import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { expect, onTestFinished, test } from 'vitest';
import { startStripe } from './start-stripe.ts';
import { price, publishableKey, sandbox, sdk, secretKey, webhook, webhookSecret } from './try-stripe.ts';

test('are signed and repeated until the server answers 200', async () => {
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

test('wait for a server that is not reachable yet, also over a restart', async () => {
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

test('can be dropped, and delivered any number of times', async () => {
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

test('are filtered by the endpoint if one was created at the provider', async () => {
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
