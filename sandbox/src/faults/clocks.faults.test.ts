import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { callPatiently, encodeForm } from './fault-client.ts';
import { moveCharge, startRenewal } from './fault-renewals.ts';
import { kill, patience, type Server } from './fault-servers.ts';
import { faultWorld, type Seller } from './fault-world.ts';

// Servers with jobs on machines whose clocks are two days off.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });

/** Creates sessions and plans that expire in a day or expired an hour ago, and two unfinished payments. */
async function newLife(server: Server) {
  const seller = await world.newSeller(server);
  const leaver = await world.newSeller(server);
  const newIntent = async (payer: Seller) => {
    const { body } = await callPatiently(server, payer.token, 'POST', '/plan-user/create-intent', {
      planId: world.planId('basic'),
      country: 'NZ',
    });
    return { id: body.paymentIntentId as string, secret: body.clientSecret as string };
  };
  for (let listing = 0; listing < 2; listing += 1) {
    const { id, secret } = await newIntent(seller);
    expect(await world.submitCard(secret)).toBe('succeeded');
    const form = await encodeForm({ ...seller.form, submissionId: randomUUID(), serviceTitle: `Listing ${listing}`, paymentId: id }, []);
    const { status, body } = await callPatiently(server, seller.token, 'POST', '/listing/create', form);
    expect([status, body.code]).toEqual([201, undefined]);
  }
  const text = 'select subscription_id as id from listings where seller_id = $1 order by listing_number';
  const [running, over] = (await world.pool.query(text, [seller.id])).rows.map(({ id }) => id as string);
  const setEnd = `
    with ended as (update subscriptions set starts_at = now() - interval '29 days', ends_at = now() + $2::interval where id = $1 returning id, ends_at)
    update listings set subscription_ends_at = ended.ends_at from ended where subscription_id = ended.id`;
  const open = [await newIntent(seller), await newIntent(leaver)];
  const setSession = 'update sessions set expires_at = now() + $2::interval where user_id = $1';
  for (const [statement, one, other] of [
    [setEnd, running, over],
    [setSession, seller.id, leaver.id],
  ]) {
    await world.pool.query(String(statement), [one, '1 day']);
    await world.pool.query(String(statement), [other, '-1 hour']);
  }
  return { seller, leaver, open };
}

const byTheClock = ['selling.expire-listings', 'accounts.delete-expired-data', 'payments.reconcile-payments', 'plans.charge-renewals'];

/** Restarts the jobs' server on a machine whose clock is so many days off, and waits for its first run of each job. */
async function restartShifted(server: Server, shiftedDays: number): Promise<Server> {
  await kill(server);
  // Servers that start within a minute share a scheduled run; this one gets its own.
  await world.pool.query('delete from pgboss.job where name = any($1)', [byTheClock]);
  const next = await world.startServer({ shiftedDays });
  const done = "select count(distinct name)::int as jobs from pgboss.job where name = any($1) and state = 'completed'";
  await expect.poll(async () => (await world.pool.query(done, [byTheClock])).rows[0].jobs, { timeout: patience }).toBe(byTheClock.length);
  return next;
}

test(
  'a server whose clock is two days off expires sessions and plans by the database’s clock and still settles payments',
  async () => {
    let server = await world.startServer();
    const { seller, leaver, open } = await newLife(server);
    for (const [turn, shiftedDays] of [2, -2].entries()) {
      server = await restartShifted(server, shiftedDays);

      const { rows: listings } = await world.pool.query('select status from listings where seller_id = $1 order by listing_number', [
        seller.id,
      ]);
      expect(listings).toEqual([{ status: 'active' }, { status: 'expired' }]);
      const statusFor = async (token: string) => (await callPatiently(server, token, 'GET', '/auth/me')).status;
      expect([await statusFor(seller.token), await statusFor(leaver.token)]).toEqual([200, 401]);

      const intent = open[turn] ?? { id: '', secret: '' };
      const { rows } = await world.pool.query('select status from payments where intent_id = $1', [intent.id]);
      expect(rows).toEqual([{ status: 'open' }]);
      // The provider's messages are signed by its own clock, which is right.
      expect(await world.submitCard(intent.secret)).toBe('succeeded');
      const receivedSql =
        "select received_at > now() - interval '1 hour' as now from provider_events where intent_id = $1 and type = 'payment_intent.succeeded'";
      await expect
        .poll(async () => (await world.pool.query(receivedSql, [intent.id])).rows, { timeout: patience })
        .toEqual([{ now: true }]);
    }
  },
  4 * patience,
);

test(
  'a server whose clock is two days off charges renewals when the database says that they are due',
  async () => {
    let server = await world.startServer();
    const newRenewal = async () => {
      const seller = await world.newSeller(server);
      await startRenewal(world, seller, (...call) => callPatiently(server, seller.token, ...call));
      return seller;
    };
    const [due, dueLater, tomorrow] = [await newRenewal(), await newRenewal(), await newRenewal()];
    await moveCharge(world, tomorrow, 24);
    const countCharges = async () => Promise.all([due, dueLater, tomorrow].map(async (seller) => (await world.charges(seller)).length));
    expect(await countCharges()).toEqual([1, 1, 1]);
    await moveCharge(world, due, 0);
    server = await restartShifted(server, 2);
    await expect.poll(countCharges, { timeout: patience }).toEqual([2, 1, 1]);
    await moveCharge(world, dueLater, 0);
    server = await restartShifted(server, -2);
    await expect.poll(countCharges, { timeout: patience }).toEqual([2, 2, 1]);
    // The provider counts a charge before the server has settled it.
    await vi.waitFor(() => world.expectBalancedBooks(), { timeout: patience, interval: 500 });
  },
  4 * patience,
);
