import { expect, test } from 'vitest';
import { card, price, sandbox } from './try-stripe.ts';

test('pays once the payer has confirmed the payment at the bank', async () => {
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

test('takes another card after a failed authentication', async () => {
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
])('the bank’s page reports %s to its opener and to the return address', async (outcome, status, redirect) => {
  const { stripe, confirm } = await sandbox();
  const intent = await stripe.paymentIntents.create(price);
  const { body } = await confirm(intent, { ...card('4000002500003155'), return_url: 'http://shop.example/done' });
  const bank = body.next_action.redirect_to_url.url;
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

test('rejects a return address with another scheme than the web’s', async () => {
  const { stripe, confirm } = await sandbox();
  const intent = await stripe.paymentIntents.create(price);
  const { status, body } = await confirm(intent, { ...card('4000002500003155'), return_url: 'javascript:alert(1)' });
  expect([status, body.error.code]).toEqual([400, 'url_invalid']);
});

test('rejects the refund of an unpaid intent and the cancellation or confirmation of a paid one', async () => {
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
  expect((await stripe.charges.list({ payment_intent: paid.id })).data).toHaveLength(1);
  expect(await events()).toContain('payment_intent.canceled');
});
