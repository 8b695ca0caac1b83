import { expect, test } from 'vitest';
import { sandbox, secretKey } from './try-stripe.ts';

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
