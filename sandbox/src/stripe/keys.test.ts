import { expect, test } from 'vitest';
import { card, price, publishableKey, sandbox, sdk, secretKey } from './try-stripe.ts';

test('a wrong key and none are refused', async () => {
  const { url } = await sandbox();
  await expect(sdk(url, 'sk_test_other').customers.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
  expect((await fetch(`${url}/v1/customers`)).status).toBe(401);
  const basic = Buffer.from(`${secretKey}:`).toString('base64');
  expect((await fetch(`${url}/v1/customers`, { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
});

test('the browser sees one intent by its client secret, without what is not for it', async () => {
  const { stripe, browser, confirm, url } = await sandbox();
  const customer = await stripe.customers.create();
  const intent = await stripe.paymentIntents.create({ ...price, customer: customer.id, metadata: { user: '1' } });
  const address = `${url}/v1/payment_intents/${intent.id}?key=${publishableKey}&client_secret=${intent.client_secret}`;
  const seen = (await (await fetch(address)).json()) as object;
  expect(seen).toMatchObject({ id: intent.id, amount: 1500, status: 'requires_payment_method' });
  for (const hidden of ['customer', 'metadata', 'latest_charge', 'amount_received']) expect(seen).not.toHaveProperty(hidden);
  const declined = await confirm(intent, card('4000000000000002'));
  expect(declined.body.error.payment_intent).not.toHaveProperty('metadata');
  const wrong = await confirm({ ...intent, client_secret: `${intent.id}_secret_guess` }, { payment_method: 'pm_card_visa' });
  expect(wrong).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error', param: 'client_secret' } } });
  expect((await confirm({ ...intent, client_secret: '' }, { payment_method: 'pm_card_visa' })).status).toBe(400);
  expect((await browser('/v1/customers', {})).body.error.code).toBe('secret_key_required');
  expect((await browser('/v1/refunds', { payment_intent: intent.id })).status).toBe(403);
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
});

test('any page may ask, also from a public address', async () => {
  const { url, browser } = await sandbox();
  const preflight = await fetch(`${url}/v1/payment_intents/pi_1/confirm`, {
    method: 'OPTIONS',
    headers: { origin: 'http://shop.example', 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
  expect(preflight.headers.get('access-control-allow-private-network')).toBe('true');
  const { status, headers } = await browser('/v1/payment_intents/pi_1/confirm', { client_secret: 'pi_1_secret_2' });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([404, '*']);
  expect(headers.get('request-id')).toMatch(/^req_/);
});

test('a live key starts nothing', async () => {
  await expect(sandbox({ secretKey: 'sk_live_1' })).rejects.toThrow('live key');
});
