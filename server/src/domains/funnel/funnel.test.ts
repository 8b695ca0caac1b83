import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addDays, getClock, getDay, siteTimeZone } from '@handwise/contract/dates';
import type { FunnelRow } from '@handwise/contract/funnel/calls';
import { type FunnelMetric, funnelMetrics } from '@handwise/contract/funnel/words';
import { testApp } from '@handwise/sandbox/testing/app';
import { hideSmall } from './funnel.rules.ts';
import { computeFunnel } from './funnel.service.ts';

const { app, db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;
// A Wednesday.
const now = new Date('2027-03-31T02:00:00Z');
clock.set(now);
const admin = await given.administrator();

// The same month in each run: a linear congruential generator.
let state = 7;
const fraction = () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
const random = {
  int: (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1)),
  pick: <One>(all: readonly One[]) => all[Math.floor(fraction() * all.length)] as One,
};
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

const longAgo = new Date('2026-06-01');

/** A month of visits, sign-ups, listings, conversations and plans, and what the funnel must say of them. */
async function seed() {
  await db.updateTable('users').set({ created_at: longAgo }).where('id', '=', admin._id).execute();
  const customers = await Promise.all(Array.from({ length: 12 }, () => given.user()));
  for (const { _id } of customers) {
    const at = someTime();
    await db.updateTable('users').set({ created_at: at }).where('id', '=', _id).execute();
    events.push({ week: mondayOf(at), place: 'No listing yet', trade: 'No listing yet', metric: 'sign_ups', value: 1 });
  }
  for (let seller = 0; seller < 72; seller += 1) {
    const { district, place } = random.pick(places);
    const { category, subCategory } = random.pick(trades);
    const { id, seller_id: sellerId } = await given.listing({ district, category, subCategory });
    const published = someTime();
    await db.updateTable('listings').set({ created_at: published }).where('id', '=', id).execute();
    await db.updateTable('users').set({ created_at: longAgo }).where('id', '=', sellerId).execute();
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
    const own = await db
      .selectFrom('subscriptions')
      .select(['plan_id', 'country', 'slots'])
      .where('id', '=', subscriptionId)
      .executeTakeFirstOrThrow();
    const plan = { ...own, user_id: sellerId, source: 'grant' as const };
    // The plan of the fixture is not to end in these weeks or to follow the other one.
    await sql`update subscriptions set starts_at = ${new Date('2028-01-01')}, ends_at = ${new Date('2028-01-31')} where id = ${subscriptionId}`.execute(
      db,
    );
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
  (
    await db
      .selectFrom('funnel_cells')
      .select(['region_code', 'category_code', 'metric', 'value', sql<string>`week::text`.as('week')])
      .execute()
  )
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
  const cells = tables.flatMap(([key, rows]) =>
    (rows as FunnelRow[]).flatMap(({ name, values }) =>
      (Object.keys(funnelMetrics) as FunnelMetric[]).map((metric) => {
        const ofCell = events.filter((one) => one[key] === name && one.metric === metric);
        return { key, name, metric, shown: values[metric], truth: ofCell.reduce((total, { value }) => total + value, 0) };
      }),
    ),
  );
  const shown = cells.filter((cell) => cell.shown !== null);
  expect(shown.map((cell) => ({ ...cell, truth: cell.shown }))).toEqual(shown);
  expect(shown.filter(({ truth }) => truth > 0 && truth < 5)).toEqual([]);
  expect(shown.filter(({ truth }) => truth > 0).length).toBeGreaterThan(20);
  expect(cells.length - shown.length).toBeGreaterThan(5);
  for (const metric of Object.keys(funnelMetrics)) expect(shown.some((cell) => cell.metric === metric && cell.truth > 0)).toBe(true);
  // Every event is in a row of each table.
  for (const [key, rows] of tables) {
    const names = new Set((rows as FunnelRow[]).map(({ name }) => name));
    expect(events.filter((event) => event.value > 0 && !names.has(event[key]))).toEqual([]);
  }
  expect(body.week).toHaveLength(13);
  expect(body.week[0].name).toBe('2027-03-29');
  const { computed_at: computedAt } = await db.selectFrom('funnel_cells').select('computed_at').executeTakeFirstOrThrow();
  expect(body.computedAt).toBe(computedAt.toISOString());
  expect(computedAt.getTime() - now.getTime()).toBeLessThan(60_000);
});

test('counts no plan that was changed or refunded, and a seller where their first listing is', async () => {
  await computeFunnel(context);
  const before = await listCells();
  const { id, seller_id: sellerId } = await given.listing({ district: 306, category: 6, subCategory: 601 });
  const { subscription_id: other } = await db
    .selectFrom('listings')
    .select('subscription_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await db.updateTable('subscriptions').set({ slots: 2 }).where('id', '=', other).execute();
  await given.listing({ subscriptionId: other, district: 2101, category: 1, subCategory: 101 });
  await db.updateTable('listings').set({ created_at: longAgo }).where('seller_id', '=', sellerId).execute();
  await db.updateTable('users').set({ created_at: longAgo }).where('id', '=', sellerId).execute();
  await sql`update subscriptions set starts_at = ${new Date('2028-01-01')}, ends_at = ${new Date('2028-01-31')} where id = ${other}`.execute(
    db,
  );
  const own = await db
    .selectFrom('subscriptions')
    .select(['plan_id', 'country', 'slots'])
    .where('id', '=', other)
    .executeTakeFirstOrThrow();
  /** The cells that plans with these days of beginning and end, counted back from now, add. */
  const added = async (...plans: { from: number; until: number; replaced?: boolean; refunded?: boolean }[]) => {
    const ids = await db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      const rows = plans.map(({ from, until, replaced, refunded }) => ({
        ...own,
        user_id: sellerId,
        starts_at: new Date(now.getTime() - from * dayMs),
        ends_at: new Date(now.getTime() - until * dayMs),
        ...(replaced && { replaced_by: other }),
        source: refunded ? ('payment' as const) : ('grant' as const),
        ...(refunded && { payment_id: sql<string>`uuidv7()`, returned_at: now }),
      }));
      return tx.insertInto('subscriptions').values(rows).returning('id').execute();
    });
    await computeFunnel(context);
    const after = await listCells();
    await db
      .deleteFrom('subscriptions')
      .where(
        'id',
        'in',
        ids.map((one) => one.id),
      )
      .execute();
    const total = (cells: string[], metric: string, region: number) =>
      cells
        .map((cell) => JSON.parse(cell))
        .filter((cell) => cell.metric === metric && cell.region_code === region)
        .reduce((sum, { value }) => sum + value, 0);
    return [3, 21].flatMap((region) => ['renewed', 'left'].map((metric) => total(after, metric, region) - total(before, metric, region)));
  };
  expect(await added({ from: 33, until: 3 })).toEqual([0, 1, 0, 0]);
  expect(await added({ from: 33, until: 3, replaced: true })).toEqual([0, 0, 0, 0]);
  expect(await added({ from: 33, until: 3, refunded: true })).toEqual([0, 0, 0, 0]);
  expect(await added({ from: 33, until: 3 }, { from: 3, until: -27, refunded: true })).toEqual([0, 1, 0, 0]);
  expect(await added({ from: 33, until: 3 }, { from: 3, until: -27 })).toEqual([1, 0, 0, 0]);
  // A plan that ends earlier continues none.
  expect(await added({ from: 33, until: 3 }, { from: 30, until: 20 })).toEqual([1, 1, 0, 0]);
});

/** The towns with unanswered requests as they are to be shown: in the order of their codes, and then the most first. */
async function expectedTowns() {
  const towns = [
    [201, 'Auckland, Auckland'],
    [306, 'Taupō, Waikato'],
    [908, 'Wellington City, Wellington'],
    [2101, 'Perth, Western Australia'],
  ] as const;
  const rows = await db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select('district_code')
    .where('answered_at', 'is', null)
    .where('conversations.created_at', '>=', new Date(now.getTime() - 30 * dayMs))
    .execute();
  const counts = towns.map(([code, name]) => ({ name, requests: rows.filter((row) => row.district_code === code).length }));
  const present = counts.filter(({ requests }) => requests > 0);
  const shown = hideSmall(present.map(({ requests }) => requests));
  return present.map(({ name }, at) => ({ name, requests: shown[at] ?? null })).toSorted((a, b) => (b.requests ?? 0) - (a.requests ?? 0));
}

test('lists towns with unanswered requests and writes the same as CSV', async () => {
  const { body } = await as(admin).get('/admin/funnel');
  const expected = await expectedTowns();
  expect(expected.map(({ requests }) => requests ?? 0).every((requests) => requests >= 5)).toBe(true);
  expect(body.unanswered).toEqual(expected);
  const csv = await as(admin).get('/admin/funnel/unanswered/csv');
  expect(csv.status).toBe(200);
  const text = await asText('/admin/funnel/unanswered/csv');
  expect(text.split('\r\n')[0]).toBe('\ufefftown,requests');
  for (const { name, requests } of body.unanswered) expect(text).toContain(`"${name}",${requests ?? 'hidden'}\r\n`);
  const byPlace = await asText('/admin/funnel/place/csv');
  expect(byPlace.split('\r\n')[0]).toBe(`\ufeffplace,${Object.keys(funnelMetrics).join(',')}`);
  for (const { name, values } of body.place) {
    const cells = Object.values(values).map((value) => (value === null ? 'hidden' : String(value)));
    expect(byPlace).toContain(`${name},${cells.join(',')}\r\n`);
  }
  expect((await as(admin).get('/admin/funnel/users/csv')).status).toBe(400);
});

const asText = async (path: string) => (await app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${admin.token}` } })).body;

test('is for administrators only', async () => {
  for (const path of ['/admin/funnel', '/admin/funnel/week/csv']) {
    expect((await asVisitor.get(path)).status).toBe(401);
    expect((await as(await given.user()).get(path)).status).toBe(403);
  }
});

test('hides few unanswered requests of a town and another number, after the shown ones', async () => {
  const { id, seller_id: sellerId } = await given.listing({ district: 908 });
  const buyer = await given.user();
  const conversation = { listing_id: id, buyer_id: buyer._id, seller_id: sellerId, created_at: now };
  await db.insertInto('conversations').values(conversation).execute();
  const { body } = await as(admin).get('/admin/funnel');
  expect(body.unanswered).toEqual(await expectedTowns());
  expect(body.unanswered.map(({ requests }: { requests: number | null }) => requests === null)).toEqual([false, false, true, true]);
  expect(await asText('/admin/funnel/unanswered/csv')).toContain('"Wellington City, Wellington",hidden\r\n');
});

test('shows the first of its weeks and none before', async () => {
  const before = (await as(admin).get('/admin/funnel')).body;
  const cell = { region_code: 2, category_code: 6, metric: 'visits', value: 1000, computed_at: now } as const;
  await db
    .insertInto('funnel_cells')
    .values({ ...cell, week: sql<Date>`'2026-12-28'::date` })
    .execute();
  expect((await as(admin).get('/admin/funnel')).body).toEqual(before);
  await db
    .insertInto('funnel_cells')
    .values({ ...cell, week: sql<Date>`'2027-01-04'::date` })
    .execute();
  const { body } = await as(admin).get('/admin/funnel');
  expect(body.week.at(-1)).toMatchObject({ name: '2027-01-04', values: { visits: 1000 } });
});

test('counts what reminders and other businesses changed, by place and trade, and writes the same as CSV', async () => {
  const hourMs = 3_600_000;
  const created = now.getTime() - 48 * hourMs;
  const at = (hours: number) => new Date(created + hours * hourMs);
  const { id, seller_id } = await given.listing({ district: 1402, category: 9 });
  const begin = async (answered: number | null, reminded: { first?: number; second?: number } = {}) => {
    const { _id: buyer_id } = await given.user();
    const talk = { listing_id: id, buyer_id, seller_id, created_at: at(0), answered_at: answered === null ? null : at(answered) };
    const { id: conversation_id } = await db.insertInto('conversations').values(talk).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('answer_reminders')
      .values({
        conversation_id,
        first_due_at: at(4),
        second_due_at: at(24),
        first_sent_at: reminded.first === undefined ? null : at(reminded.first),
        second_sent_at: reminded.second === undefined ? null : at(reminded.second),
      })
      .execute();
    return conversation_id;
  };
  for (let turn = 0; turn < 5; turn += 1) {
    await begin(1);
    await begin(6, { first: 4 });
    await begin(30, { first: 4, second: 24 });
    const silent = await begin(null, { first: 4, second: 24 });
    const elsewhere = await begin(26);
    const passed = { conversation_id: silent, place: 1, to_conversation_id: elsewhere, created_at: at(25) };
    await db.insertInto('passed_on_messages').values(passed).execute();
  }
  const { body } = await as(admin).get('/admin/funnel');
  const values = { waited: 15, after_first: 5, after_second: 5, passed_on: 5, answered_elsewhere: 5 };
  expect(body.ladder_place).toEqual([{ name: 'Canterbury', values }]);
  expect(body.ladder_trade).toMatchObject([{ values }]);
  expect(await asText('/admin/funnel/ladder_place/csv')).toContain('place,waited');
  expect(await asText('/admin/funnel/ladder_place/csv')).toContain(',15,5,5,5,5\r\n');
});
