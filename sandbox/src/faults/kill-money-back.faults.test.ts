import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { encodeForm, patientClient } from './fault-client.ts';
import { kill, patience } from './fault-servers.ts';
import { type Seller, faultWorld } from './fault-world.ts';

// Servers are killed during refunds by administrators, by hand at the provider and by banks. No cent is lost or refunded twice.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const client = patientClient(world, await world.startServer());
const long = 3 * patience;

afterEach(() => {
  world.aroundProviderCalls(null);
  world.stripe.setFault(null);
});

async function newAdministrator(): Promise<Seller> {
  const admin = await world.newSeller(await client.alive());
  await world.pool.query(`update users set role = 'admin', email_confirmed_at = now() where id = $1`, [admin.id]);
  return admin;
}

type Sale = { seller: Seller; intentId: string; paymentId: string };

/** A seller with a paid plan and a listing under it. */
async function sell(card?: string): Promise<Sale> {
  const seller = await world.newSeller(await client.alive());
  const started = await client.call(seller, 'POST', '/plan-user/create-intent', { planId: world.planId('basic'), country: 'NZ' });
  const { clientSecret, paymentIntentId: intentId } = started.body;
  expect(await world.submitCard(clientSecret, card)).toBe('succeeded');
  const form = await encodeForm({ ...seller.form, servicePlan: world.planId('basic'), paymentId: intentId }, []);
  expect((await client.call(seller, 'POST', '/listing/create', form)).status).toBe(201);
  const { rows } = await world.pool.query<{ id: string }>('select id from payments where intent_id = $1', [intentId]);
  return { seller, intentId, paymentId: rows[0]?.id ?? '' };
}

type Way = { name: string; back: number; act: (sale: Sale, admin: Seller) => Promise<unknown> };

const refund =
  (amountMinor: number | undefined) =>
  async ({ paymentId }: Sale, admin: Seller) => {
    await client.call(admin, 'POST', '/auth/confirm-identity', { password: 'correct-horse' });
    // A repeated call after a lost response has the same idempotency key.
    const form = { amountMinor, reason: 'So it was agreed.', requestId: randomUUID() };
    expect((await client.call(admin, 'POST', `/admin/payment/${paymentId}/refund`, form)).status).toBe(201);
  };

const ways: Way[] = [
  { name: 'an administrator’s whole refund', back: 1500, act: refund(undefined) },
  { name: 'an administrator’s part', back: 500, act: refund(500) },
  {
    name: 'a part by hand at the provider, and the rest by an administrator',
    back: 1500,
    act: async (sale, admin) => {
      await Promise.all([world.provider.refunds.create({ payment_intent: sale.intentId, amount: 400 }), refund(1100)(sale, admin)]);
    },
  },
  {
    name: 'a dispute that is lost',
    back: 1500,
    act: async ({ intentId }) => {
      const { id } = world.stripe.control.openDispute(intentId);
      world.stripe.control.endDispute(id, 'lost');
    },
  },
  {
    name: 'a dispute that is won',
    back: 0,
    act: async ({ intentId }) => {
      const { id } = world.stripe.control.openDispute(intentId);
      world.stripe.control.endDispute(id, 'won');
    },
  },
];

/** Kills the server during a provider call, before it is executed (it never is) or before its response. */
function killAt(matches: (call: string) => boolean, phase: 'before' | 'after'): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isDue = true;
  world.aroundProviderCalls(async ({ method, path }, now) => {
    if (now !== phase || !isDue || !matches(`${method} ${path}`)) return;
    isDue = false;
    await client
      .alive()
      .then(kill)
      .then(world.freeJobs)
      .then(() => resolve(), reject);
    if (phase === 'before') await new Promise(() => {});
  });
  return promise;
}

const listings = async ({ seller }: Sale) => (await world.listings(seller)).join();

/** Waits until provider and ledger agree on every sale, and returns the state of its listing. */
async function endings(sales: readonly (Sale & { way: Way })[]): Promise<string[]> {
  const all: string[] = [];
  for (const sale of sales) {
    const { back, name } = sale.way;
    const money = async () => {
      await world.hurryJobs();
      return [name, await world.moneyOf(sale.intentId)];
    };
    const subscriptions = back === 1500 ? 0 : 1;
    await expect
      .poll(money, { timeout: patience, interval: 250 })
      .toEqual([name, { captured: 1500, bought: 1500 - back, refunded: back, owed: 0, callProvider: back, subscriptions }]);
    all.push(await listings(sale));
  }
  await world.expectBalancedBooks();
  return all;
}

test.each([
  ['before', 'a refund is made', 'POST /v1/refunds'],
  ['after', 'a refund is made', 'POST /v1/refunds'],
  ['before', 'the refunds of a payment are asked for', 'GET /v1/refunds'],
  ['after', 'a dispute is asked for', 'GET /v1/disputes/'],
] as const)(
  'killed %s %s: refunds every cent exactly once',
  async (phase, _step, begin) => {
    const admin = await newAdministrator();
    const sales = await Promise.all(ways.map(async (way) => ({ ...(await sell()), way })));
    const killed = killAt((call) => call.startsWith(begin), phase);
    await Promise.all(sales.map(({ way, ...sale }) => way.act(sale, admin)));
    await killed;
    world.aroundProviderCalls(null);
    await client.alive();
    expect(await endings(sales)).toEqual(ways.map(({ back }) => (back === 1500 ? 'expired basic' : 'active basic')));
  },
  long,
);

test(
  'killed while a bank decides, without webhooks: reads the final outcome from the provider',
  async () => {
    const admin = await newAdministrator();
    world.stripe.setFault('drop-webhooks');
    const sales = await Promise.all(['4000000000007726', '4242424242424242'].map((card) => sell(card)));
    await Promise.all(sales.map((sale) => refund(undefined)(sale, admin)));
    for (const { intentId } of sales)
      await expect.poll(() => world.moneyOf(intentId), { timeout: patience }).toMatchObject({ callProvider: 1500 });
    await kill(await client.alive());
    await world.freeJobs();
    world.stripe.control.settle();
    await client.alive();
    const statuses = async () => {
      await world.hurryJobs();
      await world.reconcileRefunds();
      const ids = sales.map(({ paymentId }) => paymentId);
      return (await world.pool.query('select status from refunds where payment_id = any($1)', [ids])).rows;
    };
    await expect.poll(statuses, { timeout: patience, interval: 250 }).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }]);
    await world.expectBalancedBooks();
  },
  long,
);
