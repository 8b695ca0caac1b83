import { expect, test } from 'vitest';
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
