import { expect, test } from 'vitest';
import { sandbox } from './try-stripe.ts';

test('describes an account that takes cards', async () => {
  const { stripe } = await sandbox();
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({
    object: 'account',
    charges_enabled: true,
    country: 'NZ',
    capabilities: { card_payments: 'active' },
  });
});

test('stores webhook endpoints with their events and status, and shows their secret once', async () => {
  const { stripe } = await sandbox();
  const made = await stripe.webhookEndpoints.create({
    url: 'https://shop.example/webhook',
    enabled_events: ['payment_intent.succeeded', 'refund.failed'],
  });
  expect(made).toMatchObject({ status: 'enabled', secret: expect.stringMatching(/^whsec_/) });
  const { data } = await stripe.webhookEndpoints.list();
  expect(data).toMatchObject([{ id: made.id, enabled_events: ['payment_intent.succeeded', 'refund.failed'], url: made.url }]);
  expect(data[0]).not.toHaveProperty('secret');
  await stripe.webhookEndpoints.update(made.id, { disabled: true });
  expect((await stripe.webhookEndpoints.list()).data).toMatchObject([{ status: 'disabled', enabled_events: made.enabled_events }]);
  await stripe.webhookEndpoints.update(made.id, { disabled: false, enabled_events: ['*'] });
  expect((await stripe.webhookEndpoints.list()).data).toMatchObject([{ status: 'enabled', enabled_events: ['*'] }]);
  expect(await stripe.webhookEndpoints.del(made.id)).toMatchObject({ deleted: true });
  expect((await stripe.webhookEndpoints.list()).data).toEqual([]);
});

test('lists events of one type', async () => {
  const { stripe, pay } = await sandbox();
  await pay();
  await stripe.customers.create();
  const typesOf = async (params: object) => (await stripe.events.list(params)).data.map(({ type }) => type);
  expect(await typesOf({ type: 'charge.succeeded' })).toEqual(['charge.succeeded']);
});

test('retrieves a deleted customer as deleted, lists it nowhere and takes no payment for it', async () => {
  const { stripe } = await sandbox();
  const { id } = await stripe.customers.create({ email: 'mere@example.org' });
  await stripe.customers.del(id);
  expect(await stripe.customers.retrieve(id)).toEqual(expect.objectContaining({ id, object: 'customer', deleted: true }));
  expect((await stripe.customers.list()).data).toEqual([]);
  await expect(stripe.paymentIntents.create({ amount: 1500, currency: 'nzd', customer: id })).rejects.toMatchObject({
    code: 'resource_missing',
    param: 'customer',
  });
});
