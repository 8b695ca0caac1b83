import { expect, onTestFinished, test, vi } from 'vitest';
import { price, sandbox, secretKey } from './try-stripe.ts';

const create = async (url: string, key: string, fields: Record<string, string>) => {
  const answer = await fetch(`${url}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'idempotency-key': key },
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, text: await answer.text(), replayed: answer.headers.get('idempotent-replayed') };
};
const paying = { amount: '1500', currency: 'nzd', payment_method: 'pm_card_visa', confirm: 'true' };

test('makes one payment and gives the same response for 20 parallel calls with one key', async () => {
  const { stripe, url } = await sandbox();
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(url, 'one', paying)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
  expect((await stripe.charges.list()).data).toHaveLength(1);
});

test('stores a declined or rejected call under its key, but no error of its parameters', async () => {
  const { stripe, url } = await sandbox();
  const declining = { ...paying, payment_method: 'pm_card_chargeDeclined' };
  const first = await create(url, 'declined', declining);
  expect(first.status).toBe(402);
  expect(await create(url, 'declined', declining)).toEqual({ ...first, replayed: 'true' });
  expect((await stripe.charges.list()).data).toHaveLength(1);

  const unknown = { ...paying, customer: 'cus_1' };
  const missing = await create(url, 'unknown', unknown);
  expect(missing.status).toBe(400);
  expect(await create(url, 'unknown', unknown)).toEqual({ ...missing, replayed: 'true' });
  expect((await create(url, 'unknown', paying)).text).toContain('idempotency_error');

  for (const invalid of [{ amount: 'many', currency: 'nzd' }, { ...paying, invented: '1' }, { currency: 'nzd' }]) {
    expect((await create(url, 'invalid', invalid)).status).toBe(400);
  }
  expect((await create(url, 'invalid', paying)).status).toBe(200);
});

test('changes nothing for a rejected call, although its response is stored', async () => {
  const { stripe, url, events } = await sandbox();
  const answer = await create(url, 'unpaid', { amount: '1500', currency: 'nzd', confirm: 'true' });
  expect(answer.text).toContain('payment_intent_unexpected_state');
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  expect(await events()).toEqual([]);
});

test('expires a key after a day', async () => {
  const { stripe, url } = await sandbox();
  await create(url, 'one', paying);
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const day = 24 * 3600 * 1000;
  const startedAt = Date.now();
  clock.mockReturnValue(startedAt + day - 60_000);
  expect((await create(url, 'one', paying)).replayed).toBe('true');
  clock.mockReturnValue(startedAt + day);
  expect((await create(url, 'one', { ...paying, amount: '2500' })).replayed).toBeNull();
  expect((await stripe.charges.list()).data.map(({ amount }) => amount)).toEqual([2500, 1500]);
});

test('rejects the same key with other parameters', async () => {
  const { stripe } = await sandbox();
  await stripe.paymentIntents.create(price, { idempotencyKey: 'one' });
  await expect(stripe.paymentIntents.create({ ...price, amount: 2500 }, { idempotencyKey: 'one' })).rejects.toMatchObject({
    type: 'StripeIdempotencyError',
    statusCode: 400,
  });
});

test('executes a repeated call once when its response was lost', async () => {
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
