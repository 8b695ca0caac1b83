import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { type ApiResponse, callOnce, callPatiently, encodeForm, photo } from './fault-client.ts';
import { patience, type Server } from './fault-servers.ts';
import { faultWorld, type Seller } from './fault-world.ts';

// Two servers on one database and one store of files, as behind a load balancer.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const one = await world.startServer();
const other = await world.startServer();
const long = 3 * patience;

afterEach(() => world.stripe.setFault(null));

/** Sends calls in parallel, alternating between the servers. */
const overBoth = <T>(count: number, send: (server: Server, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index % 2 === 0 ? one : other, index)));

const call = (server: Server, seller: Seller, method: string, path: string, body?: object): Promise<ApiResponse> =>
  callPatiently(server, seller.token, method, path, body);

/** Pays at the provider without notifying the server, and returns the intent's id. */
async function pay(seller: Seller): Promise<string> {
  // Dropped, because the event of the new intent would also make a server check whether it is paid.
  world.stripe.setFault('drop-webhooks');
  const { status, body } = await call(one, seller, 'POST', '/plan-user/create-intent', { planId: world.planId('basic'), country: 'NZ' });
  expect(status).toBe(201);
  expect(await world.submitCard(body.clientSecret)).toBe('succeeded');
  return body.paymentIntentId;
}

const countOf = (answers: readonly ApiResponse[], status: number) => answers.filter((answer) => answer.status === status).length;

test(
  'forty concurrent listings for one slot on two servers: publishes one and rejects the others',
  async () => {
    const seller = await world.newSeller(one);
    const paymentId = await pay(seller);
    const answers = await overBoth(40, async (server, index) => {
      const fields = { ...seller.form, submissionId: randomUUID(), ...(index % 4 < 2 ? { paymentId } : {}) };
      return call(server, seller, 'POST', '/listing/create', await encodeForm(fields, index < 4 ? [photo] : []));
    });
    expect(countOf(answers, 201)).toBe(1);
    const refusals = new Set(answers.map((answer) => answer.body.code).filter(Boolean));
    expect([...refusals].filter((code) => !['payment_used', 'no_free_slot', 'payment_required'].includes(code))).toEqual([]);
    expect(await world.listings(seller)).toEqual(['active basic']);
    expect(await world.charges(seller)).toEqual([1500]);
    await world.expectBalancedBooks();
    await world.expectNoOrphanFiles();
    expect(world.temporaryFiles()).toEqual([]);
  },
  long,
);

test(
  'forty concurrent copies of a form on two servers create one listing and get the same response',
  async () => {
    const seller = await world.newSeller(one);
    const form = await encodeForm({ ...seller.form, paymentId: await pay(seller) }, [photo]);
    const answers = await overBoth(40, (server) => call(server, seller, 'POST', '/listing/create', form));
    expect(countOf(answers, 201)).toBe(40);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(await world.listings(seller)).toEqual(['active basic']);
    await world.expectNoOrphanFiles();
  },
  long,
);

test(
  'a hundred concurrent copies of a webhook create one subscription, one receipt and one email',
  async () => {
    const seller = await world.newSeller(one);
    const intentId = await pay(seller);
    const { data } = await world.provider.events.list({ type: 'payment_intent.succeeded', limit: 100 });
    const payload = JSON.stringify(data.find((event) => 'id' in event.data.object && event.data.object.id === intentId));
    const signature = world.provider.webhooks.generateTestHeaderString({ payload, secret: 'whsec_sandbox' });
    const statuses = await overBoth(100, async (server) => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      for (;;) {
        const { status } = await fetch(`${server.address}/api/stripe/webhook`, { method: 'POST', headers, body: payload });
        if (status !== 503) return status;
      }
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
    const count = async (text: string) => (await world.pool.query(text, [seller.id])).rowCount;
    await expect.poll(() => count('select from subscriptions where user_id = $1'), { timeout: patience }).toBe(1);
    expect(await count('select from receipts where user_id = $1')).toBe(1);
    const receipts = `select from pgboss.job where name = 'mail.send-email' and data->>'to' = $1 and data->>'subject' like '%receipt%'`;
    const mails = await world.pool.query(receipts, [seller.email]);
    expect(mails.rowCount).toBe(1);
    await world.expectBalancedBooks();
  },
  long,
);

test(
  'a listing published on one server is soon found on the other',
  async () => {
    const seller = await world.newSeller(one);
    const word = `q${randomUUID().slice(0, 8)}`;
    const found = async () => (await call(other, seller, 'GET', `/listing/all?title=${word}`)).body.totalListings as number;
    expect(await found()).toBe(0);
    const fields = { ...seller.form, serviceTitle: `Plumber ${word}`, paymentId: await pay(seller) };
    expect((await call(one, seller, 'POST', '/listing/create', await encodeForm(fields, []))).status).toBe(201);
    await vi.waitFor(async () => expect(await found()).toBe(1), { timeout: patience, interval: 50 });
  },
  long,
);

test(
  'SIGTERM during an upload: completes it, rejects new calls and exits with 0',
  async () => {
    // A long limit, because a busy machine needs time for the pictures; `serve.faults.test.ts` tests the real one.
    const server = await world.startServer();
    const seller = await world.newSeller(server);
    const form = await encodeForm({ ...seller.form, paymentId: await pay(seller) }, [photo, photo]);
    const answer = await callOnce(server, seller.token, 'POST', '/listing/create', form, async () => {
      await vi.waitFor(() => expect(world.temporaryFiles().length).toBeGreaterThan(0), { timeout: patience });
      server.child.kill('SIGTERM');
      await vi.waitFor(() => expect(callOnce(server, null, 'GET', '/plan/all')).rejects.toThrow(/ECONNREFUSED/), { timeout: patience });
      // The phone needs two seconds for the other half; everything else has stopped by then.
      await pause(2_000);
    });
    expect(answer.status).toBe(201);
    expect(await server.exit).toBe(0);
    expect(await world.listings(seller)).toEqual(['active basic']);
    expect(world.temporaryFiles()).toEqual([]);
  },
  long,
);
