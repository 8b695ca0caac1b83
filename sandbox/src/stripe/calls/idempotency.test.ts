import { expect, onTestFinished, test, vi } from 'vitest';
import { price, sandbox, secretKey } from '../try-stripe.ts';

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

test('whatever a call came to once it had begun is remembered; what its parameters alone forbid is not', async () => {
  const { stripe, url } = await sandbox();
  const declining = { ...paying, payment_method: 'pm_card_chargeDeclined' };
  const first = await create(url, 'declined', declining);
  expect(first.status).toBe(402);
  expect(await create(url, 'declined', declining)).toEqual({ ...first, replayed: 'true' });
  expect((await stripe.charges.list()).data).toHaveLength(1);

  const nobody = { ...paying, customer: 'cus_1' };
  const missing = await create(url, 'nobody', nobody);
  expect(missing.status).toBe(400);
  expect(await create(url, 'nobody', nobody)).toEqual({ ...missing, replayed: 'true' });
  expect((await create(url, 'nobody', paying)).text).toContain('idempotency_error');

  for (const refused of [{ amount: 'many', currency: 'nzd' }, { ...paying, invented: '1' }, { currency: 'nzd' }]) {
    expect((await create(url, 'refused', refused)).status).toBe(400);
  }
  expect((await create(url, 'refused', paying)).status).toBe(200);
});

test('a call that was refused has done nothing, also where its answer is remembered', async () => {
  const { stripe, url, events } = await sandbox();
  const answer = await create(url, 'unpaid', { amount: '1500', currency: 'nzd', confirm: 'true' });
  expect(answer.text).toContain('payment_intent_unexpected_state');
  expect((await stripe.paymentIntents.list()).data).toEqual([]);
  expect(await events()).toEqual([]);
});

/** A stand-in whose next POST begins late; the caller's own hook says that it has arrived. */
async function slowToBegin() {
  const arrival = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const started = await sandbox({ onRequest: ({ method }, phase) => void (method === 'POST' && phase === 'before' && arrival.resolve()) });
  started.faults.add({ does: 'slow-start', method: 'POST', until: goOn.promise });
  return { ...started, isUnderWay: arrival.promise, goOn: goOn.resolve };
}

test('a key is in use until its call was carried out', async () => {
  const { stripe, url, isUnderWay, goOn } = await slowToBegin();
  const slow = create(url, 'one', paying);
  await isUnderWay;
  const inUse = { statusCode: 409, code: 'idempotency_key_in_use' };
  await expect(stripe.paymentIntents.create(price, { idempotencyKey: 'one' })).rejects.toMatchObject(inUse);
  expect((await create(url, 'two', paying)).status).toBe(200);
  goOn();
  const { status, text } = await slow;
  expect(status).toBe(200);
  expect(await create(url, 'one', paying)).toEqual({ status, text, replayed: 'true' });
});

test('who hangs up before the call is carried out gives its key back', async () => {
  const { url, isUnderWay } = await slowToBegin();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${secretKey}`, 'idempotency-key': 'one' };
  const left = fetch(`${url}/v1/payment_intents`, { method: 'POST', headers, body: new URLSearchParams(paying), signal: leaving.signal });
  await isUnderWay;
  leaving.abort();
  await expect(left).rejects.toThrow('aborted');
  await expect.poll(async () => (await create(url, 'one', paying)).status).toBe(200);
});

test('a key ends after a day', async () => {
  const { stripe, url } = await sandbox();
  await create(url, 'one', paying);
  const clock = vi.spyOn(Date, 'now');
  onTestFinished(() => clock.mockRestore());
  const day = 24 * 3600 * 1000;
  const begun = Date.now();
  clock.mockReturnValue(begun + day - 60_000);
  expect((await create(url, 'one', paying)).replayed).toBe('true');
  clock.mockReturnValue(begun + day);
  expect((await create(url, 'one', { ...paying, amount: '2500' })).replayed).toBeNull();
  expect((await stripe.charges.list()).data.map(({ amount }) => amount)).toEqual([2500, 1500]);
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
