import { expect, test } from 'vitest';
import { card, price, sandbox } from '../try-stripe.ts';

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

test('a return address is a web address', async () => {
  const { stripe, confirm } = await sandbox();
  const intent = await stripe.paymentIntents.create(price);
  const { status, body } = await confirm(intent, { ...card('4000002500003155'), return_url: 'javascript:alert(1)' });
  expect([status, body.error.code]).toEqual([400, 'url_invalid']);
});
