import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { card, price, sandbox } from './try-stripe.ts';

test.each([
  ['4242424242424242', 'visa'],
  ['4242 4242 4242 4242', 'visa'],
  ['5555555555554444', 'mastercard'],
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
])('%s is declined with its reason, and another card can pay', async (number, code, declineCode, message) => {
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
])('rejects a card with %o with %s and changes nothing', async (overrides, code, message) => {
  const { stripe, confirm } = await sandbox();
  const intent = await stripe.paymentIntents.create(price);
  const { status, body } = await confirm(intent, card('4242424242424242', overrides));
  expect(status).toBe(402);
  expect(body.error).toMatchObject({ type: 'card_error', code, message });
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'requires_payment_method', last_payment_error: null });
});

test('processes a payment with 4000000000005001, which succeeds later', async () => {
  const { stripe, confirm, events } = await sandbox({ processingMs: 3_600_000 });
  const intent = await stripe.paymentIntents.create(price);
  expect((await confirm(intent, card('4000000000005001'))).body.status).toBe('processing');
  await expect(stripe.paymentIntents.cancel(intent.id)).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  onTestFinished(() => clock.mockRestore());
  await expect.poll(async () => (await stripe.paymentIntents.retrieve(intent.id)).status).toBe('succeeded');
  expect(await events()).toEqual(expect.arrayContaining(['payment_intent.processing', 'payment_intent.succeeded']));
});

test('stores no card number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'stripe.sqlite');
  const { stripe, confirm, server } = await sandbox({ file });
  await confirm(await stripe.paymentIntents.create(price), card('4242424242424242'));
  await confirm(await stripe.paymentIntents.create(price), card('4000000000000002'));
  await server.close();
  expect(readFileSync(file).includes('succeeded')).toBe(true);
  expect(readFileSync(file).includes('4242424242424242')).toBe(false);
  expect(readFileSync(file).includes('4000000000000002')).toBe(false);
});
