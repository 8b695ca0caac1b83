import { addDays, getClock, getDay, siteTimeZone } from '@handwise/contract/dates';
import { type FunnelMetric, funnelMetrics } from '@handwise/contract/funnel/words';
import { randomFrom } from '@handwise/demo/random';
import { testApp } from '@handwise/sandbox/testing/app';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { computeFunnel } from './funnel.service.ts';

const { db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;
const admin = await given.administrator();
// A Wednesday; the users above are older than the first week.
const now = new Date('2027-03-31T02:00:00Z');
clock.set(now);

const random = randomFrom(7);
const dayMs = 86_400_000;
const mondayOf = (time: Date) => {
  const { day, weekday } = getClock(time, siteTimeZone);
  return addDays(day, -((weekday + 6) % 7));
};

type Event = { week: string; place: string; trade: string; metric: FunnelMetric; value: number };
const events: Event[] = [];
const someTime = () => new Date(now.getTime() - random.int(0, 35 * 24 * 60) * 60_000);

const places = [
  { district: 306, place: 'Waikato' },
  { district: 201, place: 'Auckland' },
  { district: 2101, place: 'Western Australia' },
];
const trades = [
  { category: 6, subCategory: 601 },
  { category: 1, subCategory: 101 },
];

/** A month of visits, sign-ups, listings, conversations and plans, and what the funnel must say of them. */
async function seed() {
  const customers = await Promise.all(Array.from({ length: 12 }, () => given.user()));
  for (const { _id } of customers) {
    const at = someTime();
    await db.updateTable('users').set({ created_at: at }).where('id', '=', _id).execute();
    events.push({ week: mondayOf(at), place: 'No listing yet', trade: 'No listing yet', metric: 'sign_ups', value: 1 });
  }
  for (let seller = 0; seller < 24; seller += 1) {
    const { district, place } = random.pick(places);
    const { category, subCategory } = random.pick(trades);
    const { id, seller_id: sellerId } = await given.listing({ district, category, subCategory });
    const published = someTime();
    await db.updateTable('listings').set({ created_at: published }).where('id', '=', id).execute();
    await db
      .updateTable('users')
      .set({ created_at: new Date('2026-06-01') })
      .where('id', '=', sellerId)
      .execute();
    const name = (await as(admin).get(`/listing/${id}`)).body.serviceCategory as string;
    const add = (at: Date, metric: FunnelMetric, value = 1) => events.push({ week: mondayOf(at), place, trade: name, metric, value });
    add(published, 'published');
    for (let visit = 0; visit < 3; visit += 1) {
      const day = addDays('2027-02-24', visit * 14 + random.int(0, 6));
      const visitors = random.int(0, 9);
      await db
        .insertInto('listing_views')
        .values({ listing_id: id, day: sql<Date>`${day}::date`, views: 10, visitors })
        .execute();
      const at = new Date(`${day}T00:00:00Z`);
      if (day <= getDay(now, siteTimeZone)) add(at, 'visits', visitors);
    }
    for (const customer of customers.slice(0, random.int(0, 4))) {
      const at = someTime();
      const answer = random.pick([null, dayMs, dayMs + 1]);
      await db
        .insertInto('conversations')
        .values({
          listing_id: id,
          buyer_id: customer._id,
          seller_id: sellerId,
          created_at: at,
          answered_at: answer === null ? null : new Date(at.getTime() + answer),
        })
        .execute();
      add(at, 'contacted');
      if (answer === dayMs) add(at, 'answered');
    }
    // A plan that ended, followed by another one in time, too late or not at all.
    const ended = someTime();
    const next = random.pick([null, dayMs, dayMs + 1]);
    const { subscription_id: subscriptionId } = await db
      .selectFrom('listings')
      .select('subscription_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const own = await db.selectFrom('subscriptions').select(['plan_id', 'country', 'slots']).where('id', '=', subscriptionId).executeTakeFirstOrThrow();
    const plan = { ...own, user_id: sellerId, source: 'grant' as const };
    // The plan of the fixture is not to end in these weeks or to follow the other one.
    await sql`update subscriptions set starts_at = ${new Date('2028-01-01')}, ends_at = ${new Date('2028-01-31')} where id = ${subscriptionId}`.execute(db);
    await db
      .insertInto('subscriptions')
      .values({ ...plan, starts_at: new Date(ended.getTime() - 30 * dayMs), ends_at: ended })
      .execute();
    if (next !== null) {
      const starts = new Date(ended.getTime() + next);
      await db
        .insertInto('subscriptions')
        .values({ ...plan, starts_at: starts, ends_at: new Date(starts.getTime() + 90 * dayMs) })
        .execute();
    }
    if (ended.getTime() <= now.getTime() - dayMs) add(ended, next === dayMs ? 'renewed' : 'left');
  }
}
await seed();

const listCells = async () =>
  (await db.selectFrom('funnel_cells').select(['region_code', 'category_code', 'metric', 'value', sql<string>`week::text`.as('week')]).execute())
    .map((row) => JSON.stringify(row))
    .toSorted();

test('computes each number of a month from what happened, and the same again', async () => {
  await computeFunnel(context);
  const first = await listCells();
  await computeFunnel(context);
  expect(await listCells()).toEqual(first);
  const { body } = await as(admin).get('/admin/funnel');
  const tables = [
    ['week', body.week],
    ['place', body.place],
    ['trade', body.trade],
  ] as const;
  let [shown, hidden] = [0, 0];
  for (const [key, rows] of tables) {
    for (const metric of Object.keys(funnelMetrics) as FunnelMetric[]) {
      for (const { name, values } of rows) {
        const sum = events.filter((one) => one[key] === name && one.metric === metric).reduce((total, { value }) => total + value, 0);
        if (values[metric] === null) hidden += 1;
        else {
          expect([key, name, metric, values[metric]]).toEqual([key, name, metric, sum]);
          if (sum > 0) shown += 1;
        }
        if (sum > 0 && sum < 5) expect([key, name, metric, values[metric]]).toEqual([key, name, metric, null]);
      }
    }
    const names = new Set(rows.map(({ name }: { name: string }) => name));
    for (const event of events) if (event.value > 0) expect([...names]).toContain(event[key]);
  }
  expect(shown).toBeGreaterThan(20);
  expect(hidden).toBeGreaterThan(5);
  expect(body.week).toHaveLength(13);
  expect(body.week[0].name).toBe('2027-03-29');
  expect(body.computedAt).toBe(now.toISOString());
});

test('does not count plans that were changed or refunded', async () => {
  await computeFunnel(context);
  const before = await listCells();
  const { seller_id: sellerId, subscription_id: other } = await db.selectFrom('listings').select(['seller_id', 'subscription_id']).executeTakeFirstOrThrow();
  const own = await db.selectFrom('subscriptions').select(['plan_id', 'country', 'slots']).where('id', '=', other).executeTakeFirstOrThrow();
  const ends = new Date(now.getTime() - 3 * dayMs);
  const { id } = await db
    .insertInto('subscriptions')
    .values({ ...own, user_id: sellerId, source: 'grant', starts_at: new Date(ends.getTime() - dayMs), ends_at: ends, replaced_by: other })
    .returning('id')
    .executeTakeFirstOrThrow();
  await computeFunnel(context);
  expect(await listCells()).toEqual(before);
  await db.deleteFrom('subscriptions').where('id', '=', id).execute();
});

test('lists towns with unanswered requests, hides small numbers, and writes the same as CSV', async () => {
  const { body } = await as(admin).get('/admin/funnel');
  const since = new Date(now.getTime() - 30 * dayMs);
  const rows = await db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['district_code', 'conversations.created_at', 'answered_at'])
    .execute();
  const names = new Map([
    [306, 'Taupō, Waikato'],
    [201, 'Auckland, Auckland'],
    [2101, 'Perth, Western Australia'],
  ]);
  const open = rows.filter((row) => row.answered_at === null && row.created_at >= since);
  for (const { name, requests } of body.unanswered) {
    const count = open.filter((row) => names.get(row.district_code) === name).length;
    expect(count).toBeGreaterThan(0);
    if (requests === null) continue;
    expect([name, requests]).toEqual([name, count]);
    expect(requests).toBeGreaterThanOrEqual(5);
  }
  const csv = await as(admin).get('/admin/funnel/unanswered/csv');
  expect(csv.status).toBe(200);
  const text = await asText('/admin/funnel/unanswered/csv');
  expect(text.split('\r\n')[0]).toBe('town,requests');
  for (const { name, requests } of body.unanswered) expect(text).toContain(`"${name}",${requests ?? 'hidden'}\r\n`);
  const byPlace = await asText('/admin/funnel/place/csv');
  expect(byPlace.split('\r\n')[0]).toBe(`place,${Object.keys(funnelMetrics).join(',')}`);
  for (const { name, values } of body.place) {
    const cells = Object.values(values).map((value) => (value === null ? 'hidden' : String(value)));
    expect(byPlace).toContain(`${name},${cells.join(',')}\r\n`);
  }
  expect((await as(admin).get('/admin/funnel/users/csv')).status).toBe(400);
});

const asText = async (path: string) =>
  (await parts.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${admin.token}` } })).body as string;

test('is for administrators only', async () => {
  for (const path of ['/admin/funnel', '/admin/funnel/week/csv']) {
    expect((await asVisitor.get(path)).status).toBe(401);
    expect((await as(await given.user()).get(path)).status).toBe(403);
  }
});
