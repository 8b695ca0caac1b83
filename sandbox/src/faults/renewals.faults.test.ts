import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { runAudits } from '@handwise/server/composition/audit';
import { defineJob } from '@handwise/server/kit/jobs';
import { testDatabase } from '../testing/database.ts';
import { patientClient } from './fault-client.ts';
import { moveCharge, startRenewal } from './fault-renewals.ts';
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

const chargeJob = defineJob('plans.charge-renewals');

/** Runs the job now, whatever became of the last run. */
async function startCharging() {
  await world.pool.query(`delete from pgboss.job where name = 'plans.charge-renewals'`);
  await world.send(chargeJob, {});
}

async function newRenewal(): Promise<Seller> {
  const seller = await world.newSeller(await client.alive());
  await startRenewal(world, seller, (...call) => client.call(seller, ...call));
  return seller;
}
const makeDue = (seller: Seller) => moveCharge(world, seller, 0);

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

// A kill takes five seconds; KILLS=60 looks longer.
const wanted = Number(process.env['KILLS'] ?? 18);

test(
  'killed around the charge: each renewal is charged once and has one subscription',
  async () => {
    const sellers: Seller[] = [];
    for (let count = 0; count < 4; count += 1) sellers.push(await newRenewal());
    let renewals = 0;
    let kills = 0;
    for (; kills < wanted; kills += 1) {
      world.stripe.setFault(kills % 2 === 0 ? 'drop-webhooks' : null);
      for (const seller of sellers) {
        if (await makeDue(seller)) {
          renewals += 1;
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
    const counts = { kills, renewals, charged: charges.length - sellers.length, renewed };
    expect(counts).toEqual({ kills: wanted, renewals, charged: renewals, renewed: renewals });
    expect(renewals).toBeGreaterThan(wanted / 2);
    for (const seller of sellers) expect(await world.listings(seller)).toEqual(['active basic']);
    await world.expectBalancedBooks();
    expect((await runAudits(world.db)).filter(({ wrong }) => wrong > 0)).toEqual([]);
  },
  2 * patience + wanted * 10_000,
);
