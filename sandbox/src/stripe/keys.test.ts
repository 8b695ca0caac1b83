import { expect, test } from 'vitest';
import { card, price, publishableKey, sandbox, sdk, secretKey } from './try-stripe.ts';

test('rejects a wrong key and a missing one', async () => {
  const { url } = await sandbox();
  await expect(sdk(url, 'sk_test_other').customers.list()).rejects.toMatchObject({ type: 'StripeAuthenticationError', statusCode: 401 });
  expect((await fetch(`${url}/v1/customers`)).status).toBe(401);
  const basic = Buffer.from(`${secretKey}:`).toString('base64');
  expect((await fetch(`${url}/v1/customers`, { headers: { authorization: `Basic ${basic}` } })).status).toBe(200);
});

test('shows a browser one intent by its client secret, without private fields', async () => {
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

test('answers any origin, also from a public address', async () => {
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

test('does not start with a live key', async () => {
  await expect(sandbox({ secretKey: 'sk_live_1' })).rejects.toThrow('live key');
});

test('allows only the permitted calls with a restricted key', async () => {
  const { stripe, url, keys } = await sandbox({ secretKey: 'rk_test_sandbox' });
  const restricted = sdk(url, 'rk_test_sandbox');
  const { id } = await restricted.customers.create();
  keys.restrict('rk_test_sandbox', ({ method, path }) => method === 'GET' || !path.startsWith('/v1/refunds'));
  await expect(restricted.refunds.create({ payment_intent: 'pi_1' })).rejects.toMatchObject({
    type: 'StripePermissionError',
    statusCode: 403,
    message: expect.stringContaining("'rak_refund_write' permission"),
  });
  expect(await restricted.refunds.list()).toMatchObject({ data: [] });
  expect((await restricted.customers.retrieve(id)).id).toBe(id);
  await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 401 });
});

test('finds nothing with keys of the other mode or another account, and names the mode', async () => {
  const { stripe, url, keys, confirm } = await sandbox();
  keys.add(['sk_live_sandbox', 'pk_live_sandbox']);
  keys.add(['sk_test_other'], 'acct_other');
  const live = sdk(url, 'sk_live_sandbox');
  const other = sdk(url, 'sk_test_other');
  const { id } = await stripe.customers.create();
  const hint = `No such customer: '${id}'; a similar object exists in test mode, but a live mode key was used to make this request.`;
  await expect(live.customers.retrieve(id)).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing', message: hint });
  await expect(live.paymentIntents.create({ ...price, customer: id })).rejects.toMatchObject({ statusCode: 400, message: hint });
  await expect(other.customers.retrieve(id)).rejects.toMatchObject({ message: `No such customer: '${id}'` });
  for (const client of [live, other]) {
    expect((await client.customers.list()).data).toEqual([]);
    expect((await client.events.list()).data).toEqual([]);
  }
  const paid = await live.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true });
  expect(paid.livemode).toBe(true);
  await expect(stripe.refunds.create({ payment_intent: paid.id })).rejects.toMatchObject({
    message: expect.stringContaining('a similar object exists in live mode, but a test mode key was used'),
  });
  expect((await live.events.list()).data.every(({ livemode }) => livemode)).toBe(true);
  expect((await live.events.list()).data).toHaveLength(3);

  const open = await live.paymentIntents.create(price);
  expect((await confirm(open, card('4242424242424242'))).status).toBe(404);
  expect((await confirm(open, { ...card('4242424242424242'), key: 'pk_live_sandbox' })).body.status).toBe('succeeded');
  expect([(await stripe.accounts.retrieveCurrent()).id, (await other.accounts.retrieveCurrent()).id]).toEqual([
    'acct_sandbox',
    'acct_other',
  ]);
});

test('separates idempotency keys by mode and account', async () => {
  const { stripe, url, keys } = await sandbox();
  keys.add(['sk_live_sandbox']);
  keys.add(['sk_test_other'], 'acct_other');
  const clients = [stripe, sdk(url, 'sk_live_sandbox'), sdk(url, 'sk_test_other')];
  const made = await Promise.all(clients.map((client) => client.paymentIntents.create(price, { idempotencyKey: 'one' })));
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
});
