import { expect, test } from 'vitest';
import { card, price, sandbox, secretKey } from './try-stripe.ts';

type Browser = Awaited<ReturnType<typeof sandbox>>['browser'];
const collect = async (browser: Browser, fields: Record<string, string> = {}, number = '4242424242424242') => {
  const { status, body } = await browser('/v1/confirmation_tokens', { ...card(number), ...fields });
  expect(status).toBe(200);
  return (body as unknown as { id: string }).id;
};

test('accepts a token once, for one intent', async () => {
  const { stripe, browser } = await sandbox();
  const token = await collect(browser);
  const open = await stripe.paymentIntents.create(price);
  const paid = await stripe.paymentIntents.confirm(open.id, { confirmation_token: token, expand: ['payment_method'] });
  expect(paid).toMatchObject({ status: 'succeeded', payment_method: { card: { last4: '4242' } } });
  const other = await stripe.paymentIntents.create(price);
  const used = { statusCode: 400, param: 'confirmation_token', message: expect.stringContaining('already been used') };
  await expect(stripe.paymentIntents.confirm(other.id, { confirmation_token: token })).rejects.toMatchObject(used);
  await expect(stripe.setupIntents.create({ confirm: true, confirmation_token: token })).rejects.toMatchObject(used);
});

test('uses up a declined token, and lets the intent take another one', async () => {
  const { stripe, browser } = await sandbox();
  const open = await stripe.paymentIntents.create(price);
  const token = await collect(browser, {}, '4000000000000002');
  const confirm = (confirmation_token: string) => stripe.paymentIntents.confirm(open.id, { confirmation_token });
  await expect(confirm(token)).rejects.toMatchObject({ code: 'card_declined' });
  await expect(confirm(token)).rejects.toMatchObject({ param: 'confirmation_token' });
  expect(await confirm(await collect(browser))).toMatchObject({ status: 'succeeded' });
});

test('takes saving and the return address from the token unless the call has them', async () => {
  const { stripe, browser } = await sandbox();
  const { id: customer } = await stripe.customers.create();
  const terms = { ...price, customer, confirm: true };
  const redirecting = '4000000000003063';
  const own = { return_url: 'http://shop.example/own', setup_future_usage: 'on_session' };
  const first = await stripe.paymentIntents.create({ ...terms, confirmation_token: await collect(browser, own, redirecting) });
  expect(first).toMatchObject({
    setup_future_usage: 'on_session',
    next_action: { type: 'redirect_to_url', redirect_to_url: { return_url: 'http://shop.example/own' } },
  });
  const over = { setup_future_usage: 'off_session', return_url: 'http://shop.example/other' } as const;
  const second = await stripe.paymentIntents.create({ ...terms, ...over, confirmation_token: await collect(browser, own, redirecting) });
  expect(second).toMatchObject({
    setup_future_usage: 'off_session',
    next_action: { redirect_to_url: { return_url: 'http://shop.example/other' } },
  });
  const bare = await collect(browser, {}, redirecting);
  await expect(stripe.paymentIntents.create({ ...terms, confirmation_token: bare })).rejects.toMatchObject({ param: 'return_url' });
});

test('3-D Secure is left to the provider’s script with a token, and is an address without', async () => {
  const { stripe, browser, url } = await sandbox();
  const number = '4000002760003184';
  const open = await stripe.paymentIntents.create({ ...price, confirm: true, confirmation_token: await collect(browser, {}, number) });
  expect(open).toMatchObject({
    status: 'requires_action',
    next_action: {
      type: 'use_stripe_sdk',
      use_stripe_sdk: { stripe_js: `${url}/authenticate/${open.id}?client_secret=${open.client_secret}` },
    },
  });
  const passed = await browser('/sandbox/authenticate', { client_secret: open.client_secret ?? '', outcome: 'success' });
  expect(passed.body).toMatchObject({ status: 'succeeded', next_action: null });
  const plain = { ...price, confirm: true, payment_method: 'pm_card_authenticationRequired' };
  expect((await stripe.paymentIntents.create(plain)).next_action?.type).toBe('redirect_to_url');
  expect((await stripe.paymentIntents.create({ ...plain, use_stripe_sdk: true })).next_action?.type).toBe('use_stripe_sdk');
  const setup = { confirm: true, payment_method: 'pm_card_authenticationRequired' };
  expect((await stripe.setupIntents.create({ ...setup, use_stripe_sdk: true })).next_action?.type).toBe('use_stripe_sdk');
  expect((await stripe.setupIntents.create(setup)).next_action?.type).toBe('redirect_to_url');
});

test('saves a card through a setup intent with a token', async () => {
  const { stripe, browser } = await sandbox();
  const { id: customer } = await stripe.customers.create();
  const { id } = await stripe.setupIntents.create({ customer });
  const token = await collect(browser, { 'payment_method_data[allow_redisplay]': 'always' });
  const saved = await stripe.setupIntents.confirm(id, { confirmation_token: token, expand: ['payment_method'] });
  expect(saved).toMatchObject({ status: 'succeeded', payment_method: { customer, allow_redisplay: 'always' } });
});

test('rejects tokens that are unknown, without a method, not confirmed, of another mode or older than twelve hours', async () => {
  const { stripe, browser, url, keys } = await sandbox();
  const confirm = (confirmation_token: string) => stripe.paymentIntents.create({ ...price, confirm: true, confirmation_token });
  const missing = { statusCode: 400, code: 'resource_missing', param: 'confirmation_token' };
  await expect(confirm('ctoken_1')).rejects.toMatchObject(missing);
  expect(await browser('/v1/confirmation_tokens', {})).toMatchObject({ status: 400 });
  const token = await collect(browser);
  const idle = { statusCode: 400, param: 'confirmation_token' };
  await expect(stripe.paymentIntents.create({ ...price, confirmation_token: token })).rejects.toMatchObject(idle);
  await expect(stripe.setupIntents.create({ confirmation_token: token })).rejects.toMatchObject(idle);
  keys.add(['pk_live_other']);
  const live = new URLSearchParams({ key: 'pk_live_other', ...card('4242424242424242') });
  const other = (await (await fetch(`${url}/v1/confirmation_tokens`, { method: 'POST', body: live })).json()) as { id: string };
  await expect(confirm(other.id)).rejects.toMatchObject(missing);
  // Only the browser's key may collect a card.
  const bySecret = new URLSearchParams({ key: secretKey, ...card('4242424242424242') });
  expect((await fetch(`${url}/v1/confirmation_tokens`, { method: 'POST', body: bySecret })).status).toBe(404);
  const clock = Date.now;
  try {
    Date.now = () => clock() + 12 * 60 * 60 * 1000 + 1000;
    await expect(confirm(token)).rejects.toMatchObject({ param: 'confirmation_token', message: expect.stringContaining('expired') });
  } finally {
    Date.now = clock;
  }
});
