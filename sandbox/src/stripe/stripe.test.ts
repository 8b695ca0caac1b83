import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stripe } from 'stripe';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type StripeOptions, startStripe } from './start-stripe.ts';

const secretKey = 'sk_test_sandbox';
const publishableKey = 'pk_test_sandbox';
const webhookSecret = 'whsec_sandbox';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const sdk = (url: string, key = secretKey) =>
  new Stripe(key, { host: 'localhost', port: new URL(url).port, protocol: 'http', maxNetworkRetries: 0 });

/** The stand-in, the server's way to it, and the browser's. */
async function sandbox(options: Partial<StripeOptions> = {}) {
  const server = await startStripe({
    file: ':memory:',
    port: 0,
    secretKey,
    publishableKey,
    webhookSecret,
    webhookUrl: () => null,
    ...options,
  });
  closers.push(() => server.close());
  const stripe = sdk(server.url);
  const browser = async (path: string, fields: Record<string, string>) => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      body: new URLSearchParams({ key: publishableKey, ...fields }),
      headers: { origin: 'http://shop.example' },
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
  };
  const confirm = (intent: { id: string; client_secret: string | null }, fields: Record<string, string>) =>
    browser(`/v1/${intent.id.startsWith('seti_') ? 'setup_intents' : 'payment_intents'}/${intent.id}/confirm`, {
      client_secret: intent.client_secret ?? '',
      ...fields,
    });
  const events = async () => (await stripe.events.list({ limit: 100 })).data.map((event) => event.type);
  return { ...server, server, stripe, browser, confirm, events };
}

const nextYear = String(new Date().getFullYear() + 1);
const card = (number: string, overrides: Record<string, string> = {}) => ({
  'payment_method_data[type]': 'card',
  'payment_method_data[card][number]': number,
  'payment_method_data[card][exp_month]': '12',
  'payment_method_data[card][exp_year]': nextYear,
  'payment_method_data[card][cvc]': '123',
  'payment_method_data[billing_details][name]': 'Mere Kingi',
  'payment_method_data[billing_details][email]': 'mere@example.org',
  ...overrides,
});
const price = { amount: 1500, currency: 'nzd' };

/** A webhook that answers with the given statuses in turn, then with 200. */
async function webhook(...statuses: number[]) {
  const received: { body: string; signature: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      received.push({ body, signature: String(request.headers['stripe-signature']) });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => (server.closeAllConnections(), server.close()));
  const bound = server.address();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}/`;
  return { received, url, types: () => received.map(({ body }) => (JSON.parse(body) as Stripe.Event).type) };
}

describe('cards', () => {
  test.each([
    ['4242424242424242', 'visa'],
    ['4242 4242 4242 4242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['4000000000000077', 'visa'],
  ])('%s pays', async (number, brand) => {
    const { stripe, confirm, events } = await sandbox();
    const intent = await stripe.paymentIntents.create({ ...price, metadata: { order: '7' }, automatic_payment_methods: { enabled: true } });
    expect(intent).toMatchObject({ status: 'requires_payment_method', amount: 1500, amount_received: 0, metadata: { order: '7' } });
    const { status, body } = await confirm(intent, card(number));
    expect([status, body.status]).toEqual([200, 'succeeded']);
    const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge', 'payment_method'] });
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 1500, last_payment_error: null });
    expect(paid.latest_charge).toMatchObject({ amount: 1500, paid: true, status: 'succeeded', payment_intent: intent.id });
    expect(paid.payment_method).toMatchObject({ card: { brand, last4: number.slice(-4) }, billing_details: { name: 'Mere Kingi' } });
    expect(await events()).toEqual(['payment_intent.succeeded', 'charge.succeeded', 'payment_intent.created']);
  });

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline', 'Your card was declined.'],
    ['4000000000009995', 'card_declined', 'insufficient_funds', 'Your card has insufficient funds.'],
    ['4000000000000069', 'expired_card', undefined, 'Your card has expired.'],
    ['4000000000000127', 'incorrect_cvc', undefined, "Your card's security code is incorrect."],
    ['4000000000000119', 'processing_error', undefined, 'An error occurred while processing your card. Try again in a little bit.'],
    ['4000000000000341', 'card_declined', 'generic_decline', 'Your card was declined.'],
  ])('%s is declined, says why, and another card can still pay', async (number, code, declineCode, message) => {
    const { stripe, confirm, events } = await sandbox();
    const intent = await stripe.paymentIntents.create(price);
    const declined = await confirm(intent, card(number));
    expect(declined.status).toBe(402);
    expect(declined.body.error).toMatchObject({ type: 'card_error', code, message, payment_intent: { id: intent.id } });
    expect(declined.body.error.decline_code).toBe(declineCode);
    const seen = await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] });
    expect(seen).toMatchObject({ status: 'requires_payment_method', payment_method: null, last_payment_error: { code, message } });
    expect(seen.latest_charge).toMatchObject({ status: 'failed', paid: false, failure_code: code });
    expect(await events()).toContain('payment_intent.payment_failed');
    expect((await confirm(intent, { payment_method: 'pm_card_visa' })).body.status).toBe('succeeded');
  });

  test.each([
    [{ 'payment_method_data[card][number]': '4242424242424241' }, 'incorrect_number', 'Your card number is incorrect.'],
    [{ 'payment_method_data[card][number]': '42x' }, 'invalid_number', 'Your card number is incorrect.'],
    [{ 'payment_method_data[card][exp_year]': '2020' }, 'invalid_expiry_year', "Your card's expiration year is invalid."],
    [{ 'payment_method_data[card][exp_month]': '13' }, 'invalid_expiry_month', "Your card's expiration month is invalid."],
    [{ 'payment_method_data[card][cvc]': '12' }, 'invalid_cvc', "Your card's security code is invalid."],
    [{ 'payment_method_data[card][number]': '4111111111111111' }, 'card_declined', expect.stringContaining('non test card')],
  ])('a card with %o is refused with %s and changes nothing', async (overrides, code, message) => {
    const { stripe, confirm } = await sandbox();
    const intent = await stripe.paymentIntents.create(price);
    const { status, body } = await confirm(intent, card('4242424242424242', overrides));
    expect(status).toBe(402);
    expect(body.error).toMatchObject({ type: 'card_error', code, message });
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'requires_payment_method', last_payment_error: null });
  });

  test('4000000000005001 is processing first and pays some time later by itself', async () => {
    const { stripe, confirm, events } = await sandbox({ processingMs: 3_600_000 });
    const intent = await stripe.paymentIntents.create(price);
    expect((await confirm(intent, card('4000000000005001'))).body.status).toBe('processing');
    await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    closers.push(() => clock.mockRestore());
    await expect.poll(async () => (await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
    expect(await events()).toEqual(expect.arrayContaining(['payment_intent.processing', 'payment_intent.succeeded']));
  });

  test('a card number is nowhere in the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'stripe.sqlite');
    const { stripe, confirm, server } = await sandbox({ file });
    await confirm(await stripe.paymentIntents.create(price), card('4242424242424242'));
    await confirm(await stripe.paymentIntents.create(price), card('4000000000000002'));
    await server.close();
    expect(readFileSync(file).includes('succeeded')).toBe(true);
    expect(readFileSync(file).includes('4242424242424242')).toBe(false);
    expect(readFileSync(file).includes('4000000000000002')).toBe(false);
  });
});

describe('3-D Secure', () => {
  test('asks at the bank, and the payment succeeds once the payer agrees', async () => {
    const { stripe, confirm, browser, url } = await sandbox();
    const intent = await stripe.paymentIntents.create(price);
    const { body } = await confirm(intent, { ...card('4000002500003155'), return_url: 'http://shop.example/done?step=5' });
    expect(body).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    expect(body.next_action.redirect_to_url).toEqual({
      url: `${url}/authenticate/${intent.id}?client_secret=${intent.client_secret}`,
      return_url: 'http://shop.example/done?step=5',
    });
    const passed = await browser('/sandbox/authenticate', { client_secret: intent.client_secret ?? '', outcome: 'success' });
    expect(passed.body).toMatchObject({ id: intent.id, status: 'succeeded', next_action: null });
    const again = await browser('/sandbox/authenticate', { client_secret: intent.client_secret ?? '', outcome: 'success' });
    expect(again).toMatchObject({ status: 400, body: { error: { code: 'payment_intent_unexpected_state' } } });
  });

  test('a payer who fails at the bank can use another card', async () => {
    const { stripe, confirm, browser } = await sandbox();
    const intent = await stripe.paymentIntents.create(price);
    await confirm(intent, { payment_method: 'pm_card_authenticationRequired' });
    const failed = await browser('/sandbox/authenticate', { client_secret: intent.client_secret ?? '', outcome: 'fail' });
    expect(failed).toMatchObject({
      status: 200,
      body: {
        status: 'requires_payment_method',
        last_payment_error: {
          code: 'payment_intent_authentication_failure',
          message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
        },
      },
    });
    expect((await confirm(intent, { payment_method: 'pm_card_visa' })).body.status).toBe('succeeded');
  });

  test.each([
    ['success', 'succeeded', 'succeeded'],
    ['fail', 'requires_payment_method', 'failed'],
  ])('the page of the bank passes %s on to the window that opened it and to the return address', async (outcome, status, redirect) => {
    const { stripe, confirm } = await sandbox();
    const intent = await stripe.paymentIntents.create(price);
    const { body } = await confirm(intent, { ...card('4000002500003155'), return_url: 'http://shop.example/done' });
    const bank = body.next_action.redirect_to_url.url as string;
    const page = await (await fetch(bank)).text();
    expect(page).toContain('Complete authentication');
    expect(page).toContain('Fail authentication');
    expect(page).toContain('$15.00');
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
    const result = await (await fetch(new URL(action, bank), { method: 'POST', body: new URLSearchParams({ outcome }) })).text();
    expect(result).toContain(JSON.stringify({ type: 'handwise-3ds', intent: intent.id, status }));
    expect(result).toContain(
      `http://shop.example/done?payment_intent=${intent.id}&payment_intent_client_secret=${intent.client_secret}&redirect_status=${redirect}`,
    );
    expect((await fetch(bank.replace('_secret_', '_secret_x'))).status).toBe(400);
  });

  test('a return address is a web address', async () => {
    const { stripe, confirm } = await sandbox();
    const intent = await stripe.paymentIntents.create(price);
    const { status, body } = await confirm(intent, { ...card('4000002500003155'), return_url: 'javascript:alert(1)' });
    expect([status, body.error.code]).toEqual([400, 'url_invalid']);
  });
});

describe('saved cards', () => {
  test('a card saved with a payment is charged later without its owner', async () => {
    const { stripe, confirm, events } = await sandbox();
    const customer = await stripe.customers.create({ email: 'mere@example.org', name: 'Mere Kingi' });
    const first = await stripe.paymentIntents.create({ ...price, customer: customer.id, setup_future_usage: 'off_session' });
    await confirm(first, card('4242424242424242'));
    const { data } = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' });
    expect(data).toMatchObject([{ customer: customer.id, card: { last4: '4242' } }]);
    expect((await stripe.customers.listPaymentMethods(customer.id)).data).toEqual(data);
    expect(await events()).toContain('payment_method.attached');
    const second = await stripe.paymentIntents.create({
      ...price,
      customer: customer.id,
      payment_method: data[0]?.id ?? '',
      off_session: true,
      confirm: true,
      expand: ['latest_charge'],
    });
    expect(second).toMatchObject({ status: 'succeeded', latest_charge: { paid: true } });
    const listed = await stripe.paymentIntents.list({ customer: customer.id, limit: 1 });
    expect(listed).toMatchObject({ data: [{ id: second.id }], has_more: true });
    const all = [];
    for await (const one of stripe.paymentIntents.list({ customer: customer.id, limit: 1 })) all.push(one.id);
    expect(all).toEqual([second.id, first.id]);
  });

  test('a set-up saves the card of its customer, also through 3-D Secure', async () => {
    const { stripe, confirm, browser, events } = await sandbox();
    const customer = await stripe.customers.create();
    const plain = await stripe.setupIntents.create({ customer: customer.id, allowed_payment_method_types: ['card'] });
    expect((await confirm(plain, card('5555555555554444'))).body.status).toBe('succeeded');
    const secure = await stripe.setupIntents.create({ customer: customer.id });
    expect((await confirm(secure, card('4000002500003155'))).body.status).toBe('requires_action');
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(1);
    const passed = await browser('/sandbox/authenticate', { client_secret: secure.client_secret ?? '', outcome: 'success' });
    expect(passed.body.status).toBe('succeeded');
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toHaveLength(2);
    expect(await events()).toContain('setup_intent.succeeded');
    const seen = await stripe.setupIntents.retrieve(plain.id, { expand: ['payment_method'] });
    expect(seen.payment_method).toMatchObject({ customer: customer.id, card: { brand: 'mastercard' } });
  });

  test('a set-up with a card that is declined, or that fails at the bank, saves nothing', async () => {
    const { stripe, confirm, browser } = await sandbox();
    const customer = await stripe.customers.create();
    const setup = await stripe.setupIntents.create({ customer: customer.id });
    const declined = await confirm(setup, card('4000000000000002'));
    expect(declined).toMatchObject({ status: 402, body: { error: { code: 'card_declined', setup_intent: { id: setup.id } } } });
    await confirm(setup, card('4000002500003155'));
    const failed = await browser('/sandbox/authenticate', { client_secret: setup.client_secret ?? '', outcome: 'fail' });
    expect(failed.body).toMatchObject({ last_setup_error: { code: 'setup_intent_authentication_failure' } });
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toEqual([]);
    expect((await stripe.setupIntents.cancel(setup.id)).status).toBe('canceled');
    await expect(stripe.setupIntents.confirm(setup.id)).rejects.toMatchObject({ code: 'setup_intent_unexpected_state' });
  });

  test('4000000000000341 can be saved, and fails when it is charged', async () => {
    const { stripe, confirm } = await sandbox();
    const customer = await stripe.customers.create();
    const setup = await stripe.setupIntents.create({ customer: customer.id });
    const { body } = await confirm(setup, card('4000000000000341'));
    const charging = { ...price, customer: customer.id, payment_method: body.payment_method, off_session: true, confirm: true };
    await expect(stripe.paymentIntents.create(charging)).rejects.toMatchObject({
      type: 'StripeCardError',
      code: 'card_declined',
      payment_intent: { status: 'requires_payment_method' },
    });
  });

  test('a saved card with 3-D Secure is refused without its owner and asks with them', async () => {
    const { stripe } = await sandbox();
    const customer = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_authenticationRequired', { customer: customer.id });
    const charging = { ...price, customer: customer.id, payment_method: method.id, confirm: true };
    await expect(stripe.paymentIntents.create({ ...charging, off_session: true })).rejects.toMatchObject({
      statusCode: 402,
      code: 'authentication_required',
      decline_code: 'authentication_required',
    });
    await expect(stripe.paymentIntents.create({ ...charging, error_on_requires_action: true })).rejects.toMatchObject({ statusCode: 402 });
    expect((await stripe.paymentIntents.create(charging)).status).toBe('requires_action');
  });

  test("a detached card, somebody else's card, and one used without being kept pay no more", async () => {
    const { stripe, events } = await sandbox();
    const mine = await stripe.customers.create();
    const other = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: mine.id });
    const charging = { ...price, payment_method: method.id, confirm: true };
    await expect(stripe.paymentIntents.create({ ...charging, customer: other.id })).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.paymentIntents.create(charging)).rejects.toMatchObject({ statusCode: 400 });
    await expect(stripe.paymentMethods.attach(method.id, { customer: other.id })).rejects.toThrow('already been attached');
    expect((await stripe.paymentMethods.detach(method.id)).customer).toBeNull();
    await expect(stripe.paymentIntents.create({ ...charging, customer: mine.id })).rejects.toThrow('may not be used again');
    await expect(stripe.paymentMethods.detach(method.id)).rejects.toThrow('detachment is impossible');
    expect((await stripe.paymentMethods.list({ customer: mine.id })).data).toEqual([]);
    const single = await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true });
    const again = stripe.paymentIntents.create({ ...price, payment_method: String(single.payment_method), confirm: true });
    await expect(again).rejects.toThrow('may not be used again');
    expect(await events()).toEqual(expect.arrayContaining(['payment_method.attached', 'payment_method.detached']));
  });

  test('a customer can be changed, found by e-mail and deleted with the cards', async () => {
    const { stripe } = await sandbox();
    const { id } = await stripe.customers.create({ email: 'mere@example.org', metadata: { user: '1', old: 'x' } });
    await stripe.paymentMethods.attach('pm_card_visa', { customer: id });
    await stripe.customers.update(id, { name: 'Mere Kingi', metadata: { old: '' } });
    const { data } = await stripe.customers.list({ email: 'mere@example.org' });
    expect(data).toMatchObject([{ id, name: 'Mere Kingi', email: 'mere@example.org', metadata: { user: '1' } }]);
    expect(data[0]?.metadata).not.toHaveProperty('old');
    await stripe.customers.del(id);
    expect(await stripe.customers.retrieve(id)).toMatchObject({ id, deleted: true });
    await expect(stripe.setupIntents.create({ customer: id })).rejects.toMatchObject({ code: 'resource_missing' });
  });
});

describe('refunds and cancelling', () => {
  test('gives back in parts, and never more than was paid', async () => {
    const { stripe, events } = await sandbox();
    const intent = await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true });
    const part = await stripe.refunds.create({ payment_intent: intent.id, amount: 500, metadata: { why: 'no listing' } });
    expect(part).toMatchObject({ status: 'succeeded', amount: 500, payment_intent: intent.id, metadata: { why: 'no listing' } });
    await expect(stripe.refunds.create({ payment_intent: intent.id, amount: 1001 })).rejects.toThrow('greater than unrefunded amount');
    expect(await stripe.refunds.create({ charge: String(intent.latest_charge) })).toMatchObject({ amount: 1000 });
    await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({ code: 'charge_already_refunded' });
    expect(await stripe.charges.retrieve(String(intent.latest_charge))).toMatchObject({ amount_refunded: 1500, refunded: true });
    expect((await stripe.refunds.list({ payment_intent: intent.id })).data).toHaveLength(2);
    expect(await events()).toEqual(expect.arrayContaining(['refund.created', 'charge.refunded']));
  });

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
});

describe('idempotency', () => {
  const create = async (url: string, key: string, fields: Record<string, string>) => {
    const answer = await fetch(`${url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'idempotency-key': key },
      body: new URLSearchParams(fields),
    });
    return { status: answer.status, text: await answer.text(), replayed: answer.headers.get('idempotent-replayed') };
  };
  const paying = { amount: '1500', currency: 'nzd', payment_method: 'pm_card_visa', confirm: 'true' };

  test('20 calls with one key at the same time make one payment and get the same answer', async () => {
    const { stripe, url } = await sandbox();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(url, 'one', paying)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
    expect((await stripe.charges.list()).data).toHaveLength(1);
  });

  test('a decline is remembered too, and a refused call is not', async () => {
    const { stripe, url } = await sandbox();
    const declining = { ...paying, payment_method: 'pm_card_chargeDeclined' };
    const first = await create(url, 'declined', declining);
    expect(first.status).toBe(402);
    expect(await create(url, 'declined', declining)).toEqual({ ...first, replayed: 'true' });
    expect((await stripe.charges.list()).data).toHaveLength(1);
    expect((await create(url, 'refused', { amount: 'many', currency: 'nzd' })).status).toBe(400);
    expect((await create(url, 'refused', paying)).status).toBe(200);
  });

  test('the same key with other parameters is refused', async () => {
    const { stripe } = await sandbox();
    await stripe.paymentIntents.create(price, { idempotencyKey: 'one' });
    await expect(stripe.paymentIntents.create({ ...price, amount: 2500 }, { idempotencyKey: 'one' })).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
  });

  test('a call whose answer was lost is not carried out twice', async () => {
    const { stripe, setFault, url } = await sandbox({
      onRequest: ({ method }, phase) => {
        if (method === 'POST' && phase === 'after') setFault('down');
      },
    });
    await expect(create(url, 'lost', paying)).rejects.toThrow('fetch failed');
    setFault(null);
    const charges = (await stripe.charges.list()).data;
    expect(charges).toHaveLength(1);
    await expect(create(url, 'lost', paying)).rejects.toThrow('fetch failed');
    setFault(null);
    expect((await stripe.charges.list()).data).toEqual(charges);
  });
});

describe('webhooks', () => {
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
    closers.push(() => rmSync(folder, { recursive: true }));
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
});

describe('what survives', () => {
  test('a restart on the same file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'stripe.sqlite');
    const first = await startStripe({ file, port: 0, secretKey, publishableKey, webhookSecret, webhookUrl: () => null, processingMs: 50 });
    const customer = await sdk(first.url).customers.create({ email: 'mere@example.org' });
    const method = await sdk(first.url).paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const open = await sdk(first.url).paymentIntents.create({ ...price, customer: customer.id }, { idempotencyKey: 'one' });
    const slow = await sdk(first.url).paymentIntents.create({ ...price, payment_method: 'pm_card_processing', confirm: true });
    await first.close();
    const { stripe } = await sandbox({ file });
    expect(JSON.stringify(await stripe.paymentIntents.retrieve(open.id))).toBe(JSON.stringify(open));
    expect(await stripe.paymentIntents.create({ ...price, customer: customer.id }, { idempotencyKey: 'one' })).toMatchObject({
      id: open.id,
    });
    expect(await stripe.paymentIntents.confirm(open.id, { payment_method: method.id })).toMatchObject({ status: 'succeeded' });
    await expect.poll(async () => (await stripe.paymentIntents.retrieve(slow.id)).status).toBe('succeeded');
  });

  test('a kill of the process: what was answered is there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'stripe.sqlite');
    const script = `
      import { startStripe } from ${JSON.stringify(join(import.meta.dirname, 'start-stripe.ts'))};
      const keys = { secretKey: '${secretKey}', publishableKey: '${publishableKey}', webhookSecret: '${webhookSecret}' };
      const { url } = await startStripe({ file: ${JSON.stringify(file)}, port: 0, ...keys, webhookUrl: () => null });
      process.stdout.write(url);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    closers.push(() => child.kill('SIGKILL'));
    const [address] = (await once(child.stdout, 'data')) as [Buffer];
    const stripe = sdk(address.toString());
    const answered: string[] = [];
    const exited = once(child, 'exit');
    while (answered.length < 25) {
      answered.push((await stripe.paymentIntents.create({ ...price, payment_method: 'pm_card_visa', confirm: true })).id);
    }
    child.kill('SIGKILL');
    await exited;
    const after = await sandbox({ file });
    const found = (await after.stripe.paymentIntents.list({ limit: 100 })).data;
    expect(found.map(({ id }) => id)).toEqual(answered.toReversed());
    expect(found.every(({ status }) => status === 'succeeded')).toBe(true);
  });
});

describe('who may do what', () => {
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
});

describe('bad input', () => {
  test('unknown ids and addresses are answered with 404', async () => {
    const { stripe, url } = await sandbox();
    const unknown = { statusCode: 404, code: 'resource_missing' };
    await expect(stripe.paymentIntents.retrieve('pi_1')).rejects.toMatchObject(unknown);
    await expect(stripe.setupIntents.retrieve('seti_1')).rejects.toMatchObject(unknown);
    await expect(stripe.customers.retrieve('cus_1')).rejects.toMatchObject(unknown);
    await expect(stripe.paymentMethods.detach('pm_1')).rejects.toMatchObject(unknown);
    await expect(stripe.refunds.create({ payment_intent: 'pi_1' })).rejects.toMatchObject(unknown);
    await expect(stripe.refunds.create({ charge: 'ch_1' })).rejects.toMatchObject(unknown);
    await expect(stripe.events.retrieve('evt_1')).rejects.toMatchObject(unknown);
    const elsewhere = await fetch(`${url}/v1/balance`, { headers: { authorization: `Bearer ${secretKey}` } });
    expect(elsewhere.status).toBe(404);
  });

  test.each([
    ['currency=nzd', 'parameter_missing'],
    ['amount=15.5&currency=nzd', 'parameter_invalid_integer'],
    ['amount=1&currency=nzd', 'amount_too_small'],
    ['amount=1500&currency=nzd&capture_method=manual', 'parameter_unknown'],
    ['amount=1500&currency=nzd&payment_method_types[]=card', 'parameter_unknown'],
    ['amount=1500&currency=nzd&allowed_payment_method_types[]=paypal', undefined],
    ['amount=1500&currency=nzd&customer=cus_1', 'resource_missing'],
    ['amount=1500&currency=nzd&amount[a]=1', undefined],
    ['amount[a]=1500&currency=nzd', undefined],
    ['amount=1500&currency=kiwi', undefined],
    ['amount=1500&currency=nzd&expand[]=metadata.a', undefined],
    ['amount=1500&currency=nzd&confirm=true', 'payment_intent_unexpected_state'],
    ['amount=1500&currency=nzd&off_session=true', undefined],
    ['a[b][c][d][e][f][g][h]=1', undefined],
    ['[]=1', 'parameter_unknown'],
    ['__proto__[polluted]=1', 'parameter_unknown'],
    ['%E0%A4%A=%', 'parameter_unknown'],
  ])('%s is refused and leaves nothing behind', async (body, code) => {
    const { stripe, url, events } = await sandbox();
    const answer = await fetch(`${url}/v1/payment_intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
    const { error } = (await answer.json()) as any;
    expect([400, 404]).toContain(answer.status);
    expect(error.type).toBe('invalid_request_error');
    expect(error.code).toBe(code);
    expect(await events()).toEqual([]);
    expect((await stripe.paymentIntents.list()).data).toEqual([]);
  });

  test('a body that is too long is refused', async () => {
    const { url } = await sandbox();
    const answer = await fetch(`${url}/v1/payment_intents`, { method: 'POST', body: 'a='.padEnd(300_000, 'x') });
    expect(answer.status).toBe(413);
  });
});

describe('faults', () => {
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
});
