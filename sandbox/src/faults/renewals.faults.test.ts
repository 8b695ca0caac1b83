import { setTimeout as pause } from 'node:timers/promises';
import { runAudits } from '@handwise/server/audit';
import { defineJob } from '@handwise/server/kit/jobs';
import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { encodeForm, patientClient } from './fault-client.ts';
import { kill, patience } from './fault-servers.ts';
import { type Seller, faultWorld } from './fault-world.ts';

// Servers are killed around the charge of renewals: at each call of the provider and at random moments between them.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const client = patientClient(world, await world.startServer());

afterEach(() => {
  world.aroundProviderCalls(null);
  world.stripe.setFault(null);
});

const chargeJob = defineJob('renewals.charge');

/** Runs the job now, whatever became of the last run. */
async function startCharging() {
  await world.pool.query(`delete from pgboss.job where name = 'renewals.charge'`);
  await world.send(chargeJob, {});
}

/** A seller with a listing, whose plan renews with a saved card. */
async function newRenewal(): Promise<Seller> {
  const seller = await world.newSeller(await client.alive());
  const { body } = await client.call(seller, 'POST', '/plan-user/create-intent', { planId: world.planId('basic'), country: 'NZ' });
  expect(await world.giveCard(body.clientSecret)).toBe('succeeded');
  const form = await encodeForm({ ...seller.form, paymentId: body.paymentIntentId }, []);
  expect((await client.call(seller, 'POST', '/listing/create', form)).status).toBe(201);
  const setup = (await client.call(seller, 'POST', '/credit/setup-intent', {})).body;
  await world.giveCard(setup.clientSecret);
  const card = await client.call(seller, 'POST', '/credit', { setupIntentId: setup.setupIntentId });
  const { rows } = await world.pool.query('select id from subscriptions where user_id = $1', [seller.id]);
  const on = await client.call(seller, 'PUT', `/plan-user/${rows[0].id}/renewal`, { cardId: card.body._id });
  expect([on.status, on.body.code]).toEqual([200, undefined]);
  return seller;
}

/** Moves everything of a seller back in time until the renewal is due; false if one is due already. */
async function makeDue(seller: Seller): Promise<boolean> {
  const { rows } = await world.pool.query(
    `with due as (update renewals set charge_at = now() where user_id = $1 and status = 'on' and charge_at > now() + interval '20 minutes' returning subscription_id),
     moved as (
       update subscriptions set starts_at = starts_at - moving.by, ends_at = ends_at - moving.by
       from (select date_trunc('second', ends_at - now() - interval '70 hours') as by from subscriptions join due on id = subscription_id) as moving
       where user_id = $1 returning id, ends_at
     ),
     listed as (update listings set subscription_ends_at = moved.ends_at from moved where subscription_id = moved.id)
     select subscription_id from due`,
    [seller.id],
  );
  return rows.length > 0;
}

const countOf = async (text: string): Promise<number> =>
  (await world.pool.query(`select count(*)::int as count from ${text}`)).rows[0].count;
const countRenewed = () => countOf('subscriptions where follows_id is not null');
const countDue = () => countOf(`renewals where charge_at < now() + interval '20 minutes'`);

type Moment = { name: string; phase: 'before' | 'after' } | { afterMs: number };
const moments: Moment[] = [
  { name: 'POST /v1/payment_intents', phase: 'before' },
  { name: 'POST /v1/payment_intents', phase: 'after' },
  { afterMs: 4 },
  { name: 'POST /v1/payment_intents', phase: 'after' },
  { afterMs: 15 },
  { afterMs: 40 },
];

/** Kills the server at this moment of the charge. */
async function killDuringCharge(moment: Moment): Promise<void> {
  const server = await client.alive();
  const { promise, resolve } = Promise.withResolvers<void>();
  let isDue = true;
  world.aroundProviderCalls(async ({ method, path }, phase) => {
    if (!isDue || !('name' in moment) || moment.phase !== phase || `${method} ${path}` !== moment.name) return;
    isDue = false;
    await kill(server).then(resolve);
    if (phase === 'before') await new Promise(() => {});
  });
  await startCharging();
  if ('afterMs' in moment) await pause(moment.afterMs).then(() => kill(server));
  // A renewal whose intent is known is not created again.
  else await Promise.race([promise, pause(5_000).then(() => kill(server))]);
  world.aroundProviderCalls(null);
}

test(
  'killed around the charge: each renewal is charged once and has one subscription',
  async () => {
    const sellers: Seller[] = [];
    for (let count = 0; count < 4; count += 1) sellers.push(await newRenewal());
    // A kill takes five seconds; KILLS=60 looks longer.
    const wanted = Number(process.env['KILLS'] ?? 18);
    let asked = 0;
    let kills = 0;
    for (; kills < wanted; kills += 1) {
      world.stripe.setFault(kills % 2 === 0 ? 'drop-webhooks' : null);
      for (const seller of sellers) {
        if (await makeDue(seller)) {
          asked += 1;
          break;
        }
      }
      // What the killed server left is due at once.
      await world.pool.query(`update renewals set charge_at = now() where charge_at < now() + interval '20 minutes'`);
      await killDuringCharge(moments[kills % moments.length] ?? { afterMs: 0 });
    }
    world.stripe.setFault(null);
    await client.alive();
    const left = async () => {
      await world.pool.query(`update renewals set charge_at = now() where charge_at < now() + interval '20 minutes'`);
      await startCharging();
      await pause(300);
      return countDue();
    };
    await expect.poll(left, { timeout: patience, interval: 100 }).toBe(0);
    await world.reconcile();
    const charges = (await Promise.all(sellers.map((seller) => world.charges(seller)))).flat();
    const renewed = await countRenewed();
    // The first payment of each seller is no renewal.
    const counts = { kills, renewals: asked, charged: charges.length - sellers.length, renewed };
    expect(counts).toEqual({ kills: wanted, renewals: asked, charged: asked, renewed: asked });
    expect(asked).toBeGreaterThan(wanted / 2);
    for (const seller of sellers) expect(await world.listings(seller)).toEqual(['active basic']);
    await world.expectBalancedBooks();
    expect((await runAudits(world.db)).filter(({ wrong }) => wrong > 0)).toEqual([]);
  },
  3 * patience,
);
