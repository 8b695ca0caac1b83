import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testDatabase, insertRows } from '../testing/database.ts';
import { listingRow } from '../testing/listing.ts';
import { kill, patience, type Server } from './fault-servers.ts';
import { faultWorld } from './fault-world.ts';

// Views are buffered in memory for seconds, so the way a server ends matters.
const { url } = await testDatabase();
const world = await faultWorld({ databaseUrl: url });
const long = 3 * patience;

/** An active listing with its stored number of views. */
async function newListing(server: Server) {
  const seller = await world.newSeller(server);
  const ends = new Date(Date.now() + 20 * 86_400_000);
  const [subscription = ''] = await insertRows(world.pool, 'subscriptions', [
    {
      id: seller.id,
      user_id: seller.id,
      plan_id: world.planId('basic'),
      country: 'NZ',
      source: 'grant',
      slots: 1,
      slots_used: 0,
      starts_at: new Date(),
      ends_at: ends,
      created_at: new Date(),
    },
  ]);
  const row = listingRow({ id: subscription, user_id: seller.id, ends_at: ends });
  const { id } = await world.db.insertInto('listings').values(row).returning('id').executeTakeFirstOrThrow();
  const counted = async () => {
    const { rows } = await world.pool.query<{ views: number; visitors: number }>(
      'select coalesce(sum(views), 0)::int as views, coalesce(sum(visitors), 0)::int as visitors from listing_views where listing_id = $1',
      [id],
    );
    return [rows[0]?.views, rows[0]?.visitors];
  };
  return { id, counted };
}

/** Visits a listing from several browsers, each of which gets a response. */
async function visit(server: Server, listingId: string, from: number, until: number) {
  for (let visitor = from; visitor < until; visitor += 1) {
    const { status } = await fetch(`${server.address}/api/listing/${listingId}/view`, {
      method: 'POST',
      headers: { 'user-agent': `Mozilla/5.0 (X11; Linux x86_64) Firefox/${visitor}.0` },
    });
    expect(status).toBe(200);
  }
}

async function until(counted: () => Promise<unknown>, wanted: readonly number[]) {
  for (const end = performance.now() + patience; performance.now() < end; await pause(100)) {
    if (JSON.stringify(await counted()) === JSON.stringify(wanted)) return;
  }
  expect(await counted()).toEqual(wanted);
}

test(
  'writes views within seconds; a killed server loses only the latest and counts none twice',
  async () => {
    const server = await world.startServer();
    const { id, counted } = await newListing(server);
    await visit(server, id, 0, 20);
    await until(counted, [20, 20]);
    await visit(server, id, 10, 30);
    await kill(server);
    const [views = 0, visitors] = await counted();
    expect(views).toBe(visitors);
    expect(views).toBeGreaterThanOrEqual(20);
    expect(views).toBeLessThanOrEqual(30);
    const next = await world.startServer();
    await visit(next, id, 0, 30);
    await until(counted, [30, 30]);
  },
  long,
);

test(
  'a stopping server writes every view it has answered',
  async () => {
    const server = await world.startServer();
    const { id, counted } = await newListing(server);
    await visit(server, id, 0, 25);
    server.child.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    expect(await counted()).toEqual([25, 25]);
  },
  long,
);
