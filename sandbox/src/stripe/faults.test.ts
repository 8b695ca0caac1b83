import { expect, test } from 'vitest';
import { sandbox } from './try-stripe.ts';

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
