import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import type { SessionUser } from '@handwise/contract/accounts/calls';
import { testApp } from '@handwise/sandbox/testing/app';
import { openDatabase } from '../../kit/database/database.ts';
import { ViewCollector } from './analytics.collector.ts';
import { countVisits } from './analytics.queries.ts';
import { deleteOldAnalytics } from './analytics.service.ts';

const { given, db, callers, parts } = await testApp();
const { as, asVisitor, from } = callers;
const { clock, context, views } = parts;

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const minutes = (count: number) => clock.set(new Date(clock.now().getTime() + count * 60_000));

// Monday noon in Auckland and 8 a.m. in Perth.
beforeEach(() => clock.set(new Date('2027-03-01T00:00:00Z')));

/** A visitor from an IP address, possibly signed in. */
const browsing = (address: string, { browser = chrome, user }: { browser?: string; user?: SessionUser } = {}) =>
  from(address, { 'user-agent': browser, ...(user && { authorization: `Bearer ${user.token}` }) });

/** A listing with its seller. */
async function shop(options: Parameters<typeof given.listing>[0] = {}) {
  const seller = await given.user();
  const { id } = await given.listing({ sellerId: seller._id, ...options });
  const metrics = async (query = '') => (await as(seller).get(`/listing/${id}/figures${query}`)).body;
  /** Views and visitors of the last 30 days. */
  const counted = async () => {
    expect(await views.flush()).toBe(true);
    const { total } = await metrics();
    return [total.views, total.visitors];
  };
  return { seller, id, path: `/listing/${id}/view`, metrics, counted };
}

test('counts one view per visitor and half hour, and one visitor per day', async () => {
  const { path, counted } = await shop();
  const view = () => browsing('203.0.113.1').post(path);
  expect(await view()).toMatchObject({ status: 200, body: { received: true } });
  expect(await counted()).toEqual([1, 1]);
  minutes(29);
  await view();
  expect(await counted()).toEqual([1, 1]);
  minutes(1);
  await view();
  expect(await counted()).toEqual([2, 1]);
  minutes(12 * 60);
  await view();
  expect(await counted()).toEqual([3, 2]);
});

test('counts the next view after exactly half an hour, not a millisecond earlier', async () => {
  const { id } = await shop();
  const startedAt = Date.parse('2031-05-04T01:00:00Z');
  const visit = (after: number) =>
    countVisits(db, [{ listingId: id, day: '2031-05-04', visitor: Buffer.alloc(16, 7), at: new Date(startedAt + after) }]);
  await visit(0);
  await visit(30 * 60_000 - 1);
  const views = async () =>
    (await db.selectFrom('listing_views').select('views').where('listing_id', '=', id).execute()).map((row) => row.views);
  expect(await views()).toEqual([1]);
  await visit(30 * 60_000);
  expect(await views()).toEqual([2]);
});

test('counts visitors by network and browser, with one network per IPv6 household', async () => {
  const { path, counted } = await shop();
  await browsing('203.0.113.1').post(path);
  await browsing('203.0.113.2').post(path);
  await browsing('203.0.113.2', { browser: chrome.replace('140', '141') }).post(path);
  await browsing('2001:db8:1:2::1').post(path);
  await browsing('2001:db8:1:2::2').post(path);
  expect(await counted()).toEqual([4, 4]);
});

test('does not count robots, requests without a user agent, the owner or staff', async () => {
  const { seller, path, counted } = await shop();
  const staff = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', staff._id).execute();
  const answers = [
    await browsing('203.0.113.1', { browser: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }).post(path),
    await browsing('203.0.113.2', { browser: '' }).post(path),
    await browsing('203.0.113.3', { user: seller }).post(path),
    await browsing('203.0.113.4', { user: staff }).post(path),
  ];
  expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, { received: true }]));
  expect(await counted()).toEqual([0, 0]);
  const viewedUser = await given.user();
  await db
    .updateTable('sessions')
    .set({ looked_by: staff._id, look_reason: 'A photo is missing.' })
    .where('user_id', '=', viewedUser._id)
    .execute();
  expect((await browsing('203.0.113.6', { user: viewedUser }).post(path)).body.code).toBe('look_only');
  expect(await counted()).toEqual([0, 0]);
  await browsing('203.0.113.5', { user: await given.user() }).post(path);
  expect(await counted()).toEqual([1, 1]);
});

test('ignores views of inactive and missing listings', async () => {
  const { path, counted } = await shop({ status: 'inactive' });
  const other = await shop();
  await browsing('203.0.113.1').post(`/listing/${randomUUID()}/view`);
  await browsing('203.0.113.1').post(path);
  await browsing('203.0.113.1').post(other.path.toUpperCase().replace('/LISTING/', '/listing/').replace('/VIEW', '/view'));
  expect(await counted()).toEqual([0, 0]);
  expect(await other.counted()).toEqual([1, 1]);
  expect((await browsing('203.0.113.1').post('/listing/12/view')).status).toBe(400);
});

test('accepts at most 120 views a minute from one network', async () => {
  const { path } = await shop();
  const statuses: number[] = [];
  for (let time = 0; time < 122; time += 1) statuses.push((await browsing('198.51.100.7').post(path)).status);
  expect(statuses.slice(118)).toEqual([200, 200, 429, 429]);
  expect((await browsing('198.51.100.8').post(path)).status).toBe(200);
});

test('counts days in the time zone of the listing’s region', async () => {
  const auckland = await shop({ district: 201 });
  const perth = await shop({ district: 2101 });
  clock.set(new Date('2027-03-01T12:30:00Z'));
  for (const { path } of [auckland, perth]) await browsing('203.0.113.1').post(path);
  await views.flush();
  const lastOf = async ({ metrics }: typeof perth) => {
    const { timeZone, days } = await metrics();
    return [timeZone, days.at(-1)];
  };
  const once = { views: 1, visitors: 1, saves: 0, messages: 0, numbersShown: 0 };
  expect(await lastOf(auckland)).toEqual(['Pacific/Auckland', { day: '2027-03-02', ...once }]);
  expect(await lastOf(perth)).toEqual(['Australia/Perth', { day: '2027-03-01', ...once }]);
});

test('returns 7, 30 or 90 days including today, with the total of the same number of days before', async () => {
  const { id, metrics } = await shop();
  const rows = ['2027-03-01', '2027-02-23', '2027-02-22', '2027-01-31', '2027-01-30', '2027-01-01', '2026-12-31', '2026-12-01'];
  await db
    .insertInto('listing_views')
    .values(rows.map((day, at) => ({ listing_id: id, day: sql<Date>`${day}::date`, views: 10 ** at, visitors: 1 })))
    .execute();
  const of = async (query: string) => {
    const { days, total, before } = await metrics(query);
    return [days.length, days[0].day, days.at(-1).day, total.views, before.views, total.visitors];
  };
  expect(await of('?days=7')).toEqual([7, '2027-02-23', '2027-03-01', 11, 100, 2]);
  expect(await of('')).toEqual([30, '2027-01-31', '2027-03-01', 1_111, 110_000, 4]);
  expect(await of('?days=30')).toEqual(await of(''));
  expect(await of('?days=90')).toEqual([90, '2026-12-02', '2027-03-01', 1_111_111, 10_000_000, 7]);
});

test('counts saves on the day they were made, while they last', async () => {
  const { id, metrics } = await shop();
  const [one, other] = [await given.user(), await given.user()];
  await as(one).post(`/listing/saved/${id}`);
  await as(other).post(`/listing/saved/${id}`);
  const save = (user: SessionUser, at: string) =>
    db
      .updateTable('saved_listings')
      .set({ saved_at: new Date(at) })
      .where('user_id', '=', user._id)
      .execute();
  await save(one, '2027-02-28T10:59:00Z');
  await save(other, '2027-02-28T11:01:00Z');
  const savesOn = async () => (await metrics('?days=7')).days.flatMap((one: any) => (one.saves > 0 ? [[one.day, one.saves]] : []));
  expect(await savesOn()).toEqual([
    ['2027-02-28', 1],
    ['2027-03-01', 1],
  ]);
  await as(one).delete(`/listing/saved/delete/${id}`);
  expect(await savesOn()).toEqual([['2027-03-01', 1]]);
  await save(other, '2027-02-22T10:59:00Z');
  expect(await metrics('?days=7')).toMatchObject({ total: { saves: 0 }, before: { saves: 1 } });
  // The first day of the previous period, and the day before it.
  await save(other, '2027-02-15T11:01:00Z');
  expect(await metrics('?days=7')).toMatchObject({ before: { saves: 1 } });
  await save(other, '2027-02-15T10:59:00Z');
  expect(await metrics('?days=7')).toMatchObject({ before: { saves: 0 } });
});

test('counts customers’ messages by day, not the seller’s own', async () => {
  const { seller, id, metrics } = await shop();
  const buyer = await given.user();
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', 'in', [seller._id, buyer._id]).execute();
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId: id, message: 'Can you come on Friday?' });
  const sendMessage = (user: SessionUser) => as(user).post(`/messages/${body.conversationId}`, { message: 'Yes.', clientId: randomUUID() });
  for (const user of [buyer, buyer, seller]) expect((await sendMessage(user)).status).toBe(200);
  const sent = (number: number, at: string) =>
    db
      .updateTable('messages')
      .set({ created_at: new Date(at) })
      .where('conversation_id', '=', body.conversationId)
      .where('number', '=', number)
      .execute();
  await sent(1, '2027-02-22T10:59:00Z');
  await sent(2, '2027-02-28T10:59:00Z');
  await sent(3, '2027-02-28T11:01:00Z');
  await sent(4, '2027-02-28T11:02:00Z');
  const { days, total, before } = await metrics('?days=7');
  expect(days.slice(-2).map((one: any) => [one.day, one.messages])).toEqual([
    ['2027-02-28', 1],
    ['2027-03-01', 1],
  ]);
  expect([total.messages, before.messages]).toEqual([2, 1]);
});

test('returns the 30-day totals of the seller’s own listings in one call', async () => {
  const { seller, id, path } = await shop();
  const second = await given.listing({ sellerId: seller._id, status: 'expired' });
  const other = await shop();
  await browsing('203.0.113.1').post(path);
  await browsing('203.0.113.1').post(other.path);
  await views.flush();
  const old = (day: string) => ({ listing_id: second.id, day: sql<Date>`${day}::date`, views: 5, visitors: 3 });
  await db
    .insertInto('listing_views')
    .values([old('2027-01-31'), old('2027-01-30')])
    .execute();
  const { status, body } = await as(seller).get('/listing/mylistings/figures');
  expect([status, body]).toEqual([
    200,
    {
      listings: [
        { listingId: id, views: 1, visitors: 1, saves: 0, messages: 0, numbersShown: 0 },
        { listingId: second.id, views: 5, visitors: 3, saves: 0, messages: 0, numbersShown: 0 },
      ],
    },
  ]);
});

test('answers 404 to other users and 401 to visitors', async () => {
  const { seller, id } = await shop();
  const path = `/listing/${id}/figures`;
  const answers = [
    await as(await given.user()).get(path),
    await as(seller).get(`/listing/${randomUUID()}/figures`),
    await asVisitor.get(path),
    await asVisitor.get('/listing/mylistings/figures'),
    await as(seller).get(`${path}?days=31`),
    await as(seller).get('/listing/12/figures'),
  ];
  expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
    '404 listing_not_found',
    '404 listing_not_found',
    '401 not_authenticated',
    '401 not_authenticated',
    '400 invalid_input',
    '400 invalid_input',
  ]);
});

const viewBy = (listingId: string, visitor: number) => ({
  listingId,
  viewerId: null,
  network: `visitor ${visitor}`,
  browser: chrome,
  at: clock.now(),
});

test('adds up concurrent writes of several servers and counts a shared visitor once', async () => {
  const shops = [await shop(), await shop(), await shop()];
  const servers = Array.from({ length: 4 }, () => new ViewCollector(context));
  const all = shops.flatMap(({ id }) => Array.from({ length: 60 }, (_, visitor) => viewBy(id, visitor)));
  // Each server gets the views in another order.
  for (const [at, server] of servers.entries()) {
    const order = [...all.slice(at * 45), ...all.slice(0, at * 45)];
    for (const view of at % 2 ? order.toReversed() : order) server.add(view);
  }
  expect(await Promise.all(servers.map((server) => server.flush()))).toEqual([true, true, true, true]);
  expect(await Promise.all(shops.map((one) => one.counted()))).toEqual([
    [60, 60],
    [60, 60],
    [60, 60],
  ]);
});

test('retries failed writes without double counting, and keeps views in two half hours apart', async () => {
  const { id, counted } = await shop();
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 1, onIdleError: () => {} });
  const world = { ...context, db: away.db };
  const server = new ViewCollector(world);
  server.add(viewBy(id, 1));
  server.add(viewBy(id, 1));
  expect([await server.flush(), server.pending]).toEqual([false, 1]);
  minutes(31);
  server.add(viewBy(id, 1));
  server.add(viewBy(id, 2));
  expect([await server.flush(), server.pending]).toEqual([false, 3]);
  await away.close();
  world.db = db;
  expect([await server.flush(), server.pending]).toEqual([true, 0]);
  expect(await counted()).toEqual([3, 2]);
  expect(await server.flush()).toBe(true);
  expect(await counted()).toEqual([3, 2]);
});

test('buffers at most 50,000 views while the database is down', async () => {
  const server = new ViewCollector(context);
  for (let visitor = 0; visitor < 50_001; visitor += 1) server.add(viewBy('01900000-0000-7000-8000-000000000000', visitor));
  expect(server.pending).toBe(50_000);
});

test('counting views neither changes the listing nor publishes a change', async () => {
  const { id, path, counted } = await shop();
  const state = async () =>
    (await sql`select (select max(id) from changes) as changes, xmin from listings where id = ${id}`.execute(db)).rows;
  const before = await state();
  await browsing('203.0.113.1').post(path);
  expect(await counted()).toEqual([1, 1]);
  expect(await state()).toEqual(before);
});

test('stores visitors as a hash per listing and deletes it an hour after the day ends in Perth', async () => {
  const [one, other] = [await shop(), await shop({ district: 2101 })];
  for (const { path } of [one, other]) await browsing('203.0.113.1').post(path);
  await views.flush();
  const known = async () => {
    const rows = await db.selectFrom('listing_visitors').select(['visitor']).where('listing_id', 'in', [one.id, other.id]).execute();
    const salts = await db
      .selectFrom('view_salts')
      .where(sql`day::text`, '=', '2027-03-01')
      .selectAll()
      .execute();
    return [new Set(rows.map(({ visitor }) => visitor.toString('hex'))).size, salts.length];
  };
  expect(await known()).toEqual([2, 1]);
  clock.set(new Date('2027-03-01T16:59:00Z'));
  await deleteOldAnalytics(context);
  expect(await known()).toEqual([2, 1]);
  clock.set(new Date('2027-03-01T17:01:00Z'));
  await deleteOldAnalytics(context);
  expect(await known()).toEqual([0, 0]);
  expect(await one.counted()).toEqual([1, 1]);
});

test('keeps metrics as long as the longest period can show them', async () => {
  const { id } = await shop();
  const old = (day: string) => ({ listing_id: id, day: sql<Date>`${day}::date`, views: 5, visitors: 3 });
  await db
    .insertInto('listing_views')
    .values([old('2026-09-03'), old('2026-08-01')])
    .execute();
  await deleteOldAnalytics(context);
  const left = await db
    .selectFrom('listing_views')
    .select(sql<string>`day::text`.as('day'))
    .where('listing_id', '=', id)
    .execute();
  expect(left).toEqual([{ day: '2026-09-03' }]);
});

/** A listing with a phone number. */
async function shopWithPhone(options: Parameters<typeof given.listing>[0] = {}) {
  const one = await shop(options);
  await db.updateTable('listings').set({ business_phone: '+6421345678' }).where('id', '=', one.id).execute();
  const shown = async () => (await one.metrics()).total.numbersShown;
  return { ...one, path: `/listing/${one.id}/phone`, viewPath: one.path, shown };
}

test('returns the phone number and counts it once per visitor and day, beside their view', async () => {
  const { path, viewPath, counted, shown } = await shopWithPhone();
  const visitor = browsing('203.0.113.1');
  for (let time = 0; time < 2; time += 1) {
    expect(await visitor.post(path)).toMatchObject({ status: 200, body: { number: '+6421345678', text: '+64 21 345 678' } });
  }
  expect(await shown()).toBe(1);
  await visitor.post(viewPath);
  expect(await counted()).toEqual([1, 1]);
  await browsing('203.0.113.2').post(path);
  expect(await shown()).toBe(2);
  minutes(24 * 60);
  await visitor.post(path);
  expect(await shown()).toBe(3);
});

test('counts a shown number on the day of the listing’s region', async () => {
  const [auckland, perth] = [await shopWithPhone({ district: 201 }), await shopWithPhone({ district: 2101 })];
  // Half past one on Tuesday in Auckland, half past eight on Monday evening in Perth.
  clock.set(new Date('2027-03-01T12:30:00Z'));
  for (const { path } of [auckland, perth]) expect((await browsing('203.0.113.1').post(path)).status).toBe(200);
  for (const [{ metrics }, day] of [
    [auckland, '2027-03-02'],
    [perth, '2027-03-01'],
  ] as const)
    expect((await metrics()).days.at(-1)).toMatchObject({ day, numbersShown: 1 });
});

test('returns the number to robots, the owner and staff too, but does not count them', async () => {
  const { seller, path, shown } = await shopWithPhone();
  const staff = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', staff._id).execute();
  for (const reader of [
    browsing('203.0.113.1', { browser: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }),
    browsing('203.0.113.2', { browser: '' }),
    browsing('203.0.113.3', { user: seller }),
    browsing('203.0.113.4', { user: staff }),
  ]) {
    expect((await reader.post(path)).status).toBe(200);
  }
  expect(await shown()).toBe(0);
});

test('returns no number of a listing that has none, is not active or does not exist', async () => {
  const { path, id } = await shop();
  const none = path.replace('/view', '/phone');
  expect((await browsing('203.0.113.1').post(none)).body.code).toBe('no_business_phone');
  const paused = await shopWithPhone({ status: 'inactive' });
  expect((await browsing('203.0.113.1').post(paused.path)).body.code).toBe('listing_gone');
  expect((await browsing('203.0.113.1').post(`/listing/${randomUUID()}/phone`)).body.code).toBe('listing_not_found');
  const rows = await db.selectFrom('listing_views').select('listing_id').where('listing_id', 'in', [id, paused.id]).execute();
  expect(rows).toEqual([]);
});

test('returns at most 40 numbers an hour to one network', async () => {
  const { path } = await shopWithPhone();
  const statuses: number[] = [];
  for (let time = 0; time < 42; time += 1) statuses.push((await browsing('198.51.100.7').post(path)).status);
  expect(statuses.slice(38)).toEqual([200, 200, 429, 429]);
  expect((await browsing('198.51.100.8').post(path)).status).toBe(200);
});

test('counts the numbers in the database, for all servers', async () => {
  const { path } = await shopWithPhone();
  const counted = async (network: string) =>
    (await db.selectFrom('attempts').select('count').where('key', '=', `numbers-from:${network}`).executeTakeFirst())?.count;
  await browsing('198.51.100.9').post(path);
  expect(await counted('198.51.100.9')).toBe(1);
  // As if another server had shown 39 more.
  await db.updateTable('attempts').set({ count: 40 }).where('key', '=', 'numbers-from:198.51.100.9').execute();
  expect((await browsing('198.51.100.9').post(path)).status).toBe(429);
});

test('returns at most 400 numbers an hour to the networks of an IPv6 /48', async () => {
  const { path } = await shopWithPhone();
  expect((await browsing('2001:db8:7:1::1').post(path)).status).toBe(200);
  await db.updateTable('attempts').set({ count: 399 }).where('key', '=', 'numbers-from:2001:db8:7::/48').execute();
  const answers = [await browsing('2001:db8:7:2::1').post(path), await browsing('2001:db8:7:3::1').post(path)];
  expect(answers.map(({ status }) => status)).toEqual([200, 429]);
  expect((await browsing('2001:db8:8:1::1').post(path)).status).toBe(200);
});
