import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { maxAlerts } from '@handwise/contract/alerts/calls';
import { locationLine } from '@handwise/contract/text';
import { testApp } from '@handwise/sandbox/testing/app';
import type { ListingOptions } from '@handwise/sandbox/testing/listing';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { times } from '@handwise/sandbox/testing/times';
import { openDatabase } from '@handwise/server/kit/database';
import { signUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { findLocalityBySlug } from '../places/places.service.ts';
import { recordNewListing } from './alerts.jobs.queries.ts';
import { matchAlerts } from './alerts.jobs.ts';
import { emailAlerts } from './alerts.notify.ts';

const { app, given, db, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;
const site = 'http://localhost:3000';

// Sunday noon in Auckland, before a Monday morning.
const sunday = '2027-02-27T23:00:00Z';
const mondayMorning = '2027-02-28T18:30:00Z';
const tuesdayMorning = '2027-03-01T18:30:00Z';
const at = (time: string) => clock.set(new Date(time));
beforeEach(async () => {
  at(sunday);
  await db.deleteFrom('new_listings').execute();
});

type User = Awaited<ReturnType<typeof given.member>>;
const postAlert = (user: User, search: Record<string, string>) => as(user).post('/alerts', { frequency: 'daily', ...search });
async function createAlert(user: User, search: Record<string, string>) {
  const { status, body } = await postAlert(user, search);
  expect([status, body.message]).toEqual([200, undefined]);
  return body;
}
const alertsOf = async (user: User) => (await as(user).get('/alerts')).body.alerts;

let made = 0;
/** A unique word, so that alerts match only the listings of their test. */
const ownWord = () => {
  made += 1;
  return `zq${'abcdefghijklmnopqrstuvwxyz'[made]}umba`;
};

/** A listing that goes live now. */
async function publish(options: ListingOptions & { sellerId?: string } = {}) {
  const listing = await given.listing(options);
  await db.transaction().execute((tx) => recordNewListing(tx, listing.id, new Date(clock.now().getTime() + 1)));
  return listing;
}

const alertMailsTo = async ({ email }: User) =>
  (await outbox.mails()).filter((mail) => mail.to === email && / new listings?: /.test(mail.subject));
/** Runs the nightly matching and the morning emails. */
async function morning(time = mondayMorning) {
  at(time);
  await matchAlerts(context);
  await emailAlerts(context);
}

test('saves a search with its interpretation and a matching name, visible to its owner only', async () => {
  const [user, other] = [await given.member(), await given.member()];
  const alert = await createAlert(user, { q: 'plumber hamilton', frequency: 'weekly' });
  expect(alert).toMatchObject({ name: 'Plumbing in Hamilton', frequency: 'weekly', isPaused: false, lastMail: null });
  expect(Object.fromEntries(new URLSearchParams(alert.query))).toMatchObject({ category: 'plumbing', region: 'waikato' });
  expect(await alertsOf(user)).toEqual([alert]);
  expect(await alertsOf(other)).toEqual([]);
  for (const answer of [await asVisitor.get('/alerts'), await asVisitor.post('/alerts', { q: 'plumber', frequency: 'daily' })])
    expect([answer.status, answer.body.code]).toEqual([401, 'not_authenticated']);
});

test('saving the same search again updates one alert, also concurrently and in other words', async () => {
  const user = await given.member();
  const answers = await times(20, () => postAlert(user, { q: 'plumber hamilton' }));
  const again = await createAlert(user, { category: 'plumbing', where: 'Hamilton', frequency: 'weekly' });
  expect(new Set([...answers.map(({ body }) => body._id), again._id]).size).toBe(1);
  expect(await alertsOf(user)).toMatchObject([{ _id: again._id, frequency: 'weekly' }]);
  const one = await createAlert(user, { q: 'roof tiles', raw: '1' });
  expect((await createAlert(user, { q: 'Tiles  ROOF', raw: '1' }))._id).toBe(one._id);
  expect((await createAlert(user, { q: 'tiles', raw: '1' }))._id).not.toBe(one._id);
  expect(await alertsOf(user)).toHaveLength(3);
});

test('filters are part of the search, the sort order is not', async () => {
  const user = await given.member();
  const all = await createAlert(user, { category: 'plumbing' });
  const cheap = await createAlert(user, { category: 'plumbing', maxPrice: '100', verified: '1' });
  expect(cheap._id).not.toBe(all._id);
  expect(cheap.name).toBe('Plumbing, verified, from $100 at most');
  const other = await createAlert(user, { category: 'plumbing', minRating: '4.5', photos: '1', replied: '1' });
  expect(other.name).toBe('Plumbing, rated 4.5 and up, with photos, answering within a day');
  expect(Object.fromEntries(new URLSearchParams(cheap.query))).toEqual({ category: 'plumbing', maxPrice: '100', verified: '1' });
  const sorted = await postAlert(user, { category: 'plumbing', sort: 'newest' });
  expect([sorted.status, sorted.body.code]).toEqual([400, 'invalid_input']);
});

test.each([
  ['nothing', {}, 'q'],
  ['a whole country', { country: 'NZ' }, 'q'],
  ['filters alone', { verified: '1' }, 'q'],
  ['signs alone', { q: '?!', raw: '1' }, 'q'],
  ['a place that nobody knows', { where: 'Xqzvarnik' }, 'where'],
  ['a category that there is not', { category: 'juggling' }, 'category'],
  ['no time', { q: 'plumber', frequency: 'hourly' }, 'frequency'],
])('rejects %s', async (_, search: Record<string, string>, field) => {
  const { status, body } = await postAlert(await given.member(), search);
  expect([status, body.code, body.errors[0]?.field]).toEqual([400, 'invalid_input', field]);
});

test('stores and names the nearest town instead of a position', async () => {
  const user = await given.member();
  const alert = await createAlert(user, { near: '-37.87,175.19', category: 'plumbing', km: '10' });
  expect(alert.query).not.toMatch(/-37.87|175.19/);
  const { filter, query } = await db.selectFrom('alerts').select(['filter', 'query']).where('id', '=', alert._id).executeTakeFirstOrThrow();
  expect(JSON.stringify(filter)).not.toMatch(/-37.87|175.19/);
  expect(new URLSearchParams(query).get('km')).toBe('10');
  expect(alert.name).toMatch(/^Plumbing within 10 km of \w/);
});

test('allows twenty alerts, also concurrently; deleting one makes room', async () => {
  const user = await given.member();
  const ids: string[] = [];
  for (let index = 1; index < maxAlerts; index += 1) ids.push((await createAlert(user, { q: `word${index}`, raw: '1' }))._id);
  const answers = await times(2, (index) => postAlert(user, { q: `last${index}`, raw: '1' }));
  expect(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`).toSorted()).toEqual(['200 ', '409 too_many_alerts']);
  // Saving an existing search again does not count.
  expect((await postAlert(user, { q: 'word1', raw: '1' })).status).toBe(200);
  expect((await as(user).delete(`/alerts/${ids[0]}`)).status).toBe(200);
  expect((await postAlert(user, { q: 'another', raw: '1' })).status).toBe(200);
  expect((await as(user).post(`/alerts/${ids[0]}/restore`)).body.code).toBe('too_many_alerts');
  expect((await postAlert(user, { q: 'word1', raw: '1' })).body.code).toBe('too_many_alerts');
  expect(await alertsOf(user)).toHaveLength(maxAlerts);
});

test.each([
  ['saving a search', (user: User) => postAlert(user, { q: 'fences' }), 200],
  ['changing an alert', (user: User, id: string) => as(user).put(`/alerts/${id}`, { isPaused: true }), 200],
  ['restoring an alert', (user: User, id: string) => as(user).post(`/alerts/${id}/restore`), 404],
])('%s waits for other changes of the same user', async (_, act, status) => {
  const user = await given.member();
  const { _id: id } = await createAlert(user, { q: 'gates' });
  const { acting } = await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${user._id} for no key update`.execute(tx);
    const answer = act(user, id);
    await untilLockWaits(db);
    return { acting: answer };
  });
  expect((await acting).status).toBe(status);
});

test('renames, changes, pauses and deletes an alert, and restores it within an hour', async () => {
  const [user, other] = [await given.member(), await given.member()];
  const { _id: id } = await createAlert(user, { q: 'sparky' });
  expect((await as(user).put(`/alerts/${id}`, { name: '  For the bach ', frequency: 'weekly' })).body).toMatchObject({
    name: 'For the bach',
    frequency: 'weekly',
    isPaused: false,
  });
  expect((await as(user).put(`/alerts/${id}`, { isPaused: true })).body).toMatchObject({ name: 'For the bach', isPaused: true });
  expect((await as(user).put(`/alerts/${id}`, { isPaused: false })).body).toMatchObject({ isPaused: false });
  for (const name of ['', 'x'.repeat(81)]) expect((await as(user).put(`/alerts/${id}`, { name })).status).toBe(400);
  const calls = [
    await as(other).put(`/alerts/${id}`, { name: 'Mine' }),
    await as(other).put(`/alerts/${id}`, { isPaused: true }),
    await as(other).delete(`/alerts/${id}`),
    await as(other).post(`/alerts/${id}/restore`),
    await as(user).post(`/alerts/${id}/restore`),
  ];
  for (const { status, body } of calls) expect([status, body.code]).toEqual([404, 'alert_not_found']);
  expect(await alertsOf(user)).toMatchObject([{ name: 'For the bach', isPaused: false }]);

  expect((await as(user).delete(`/alerts/${id}`)).body).toEqual({ isDeleted: true });
  expect(await alertsOf(user)).toEqual([]);
  expect((await as(user).put(`/alerts/${id}`, { name: 'Gone' })).status).toBe(404);
  expect((await as(user).delete(`/alerts/${id}`)).status).toBe(404);
  expect((await as(other).post(`/alerts/${id}/restore`)).status).toBe(404);
  expect((await as(user).post(`/alerts/${id}/restore`)).body).toMatchObject({ _id: id, name: 'For the bach', frequency: 'weekly' });

  await as(user).delete(`/alerts/${id}`);
  clock.set(new Date(clock.now().getTime() + 61 * 60_000));
  expect((await as(user).post(`/alerts/${id}/restore`)).status).toBe(404);
});

test('saving a deleted search again restores the same alert from now on', async () => {
  const user = await given.member();
  const word = ownWord();
  const { _id: id } = await createAlert(user, { q: word, raw: '1' });
  await as(user).delete(`/alerts/${id}`);
  await publish({ title: word });
  clock.set(new Date(clock.now().getTime() + 60_000));
  expect((await createAlert(user, { q: word, raw: '1' }))._id).toBe(id);
  await morning();
  expect(await alertMailsTo(user)).toEqual([]);
});

test('ignores listings from a pause, also when the search is saved again; pending matches of an active alert stay', async () => {
  const [resting, running] = [await given.member(), await given.member()];
  const word = ownWord();
  const later = () => clock.set(new Date(clock.now().getTime() + 60_000));
  const { _id: rested } = await createAlert(resting, { q: word, raw: '1' });
  const { _id: id } = await createAlert(running, { q: word, raw: '1' });
  await as(resting).put(`/alerts/${rested}`, { isPaused: true });
  await publish({ title: word });
  later();
  await createAlert(resting, { q: word, raw: '1' });
  // Saving or resuming an active alert does not restart it.
  await createAlert(running, { q: word, raw: '1' });
  await as(running).put(`/alerts/${id}`, { isPaused: false });
  await morning();
  expect([await alertMailsTo(resting), (await alertMailsTo(running)).length]).toEqual([[], 1]);
});

test('an alert shows the listings of its last email that are still active, newest first', async () => {
  const user = await given.member();
  const word = ownWord();
  await createAlert(user, { q: word, raw: '1' });
  const lastMail = async () => {
    const { total, listings } = (await alertsOf(user))[0].lastMail;
    return [total, listings.map(({ title }: { title: string }) => title)];
  };
  const first = await publish({ title: `${word} one`, district: 201 });
  await publish({ title: `${word} two` });
  await morning();
  expect(await lastMail()).toEqual([2, [`${word} two`, `${word} one`]]);
  const texts = (await alertMailsTo(user))[0]?.blocks.flatMap((block) =>
    block.kind === 'links' ? block.rows.map(({ text }) => text) : [],
  );
  expect(texts).toEqual([
    expect.stringMatching(/ · Taupō\s› Waikato\s› New Zealand$/),
    expect.stringMatching(/ · Auckland\s› New Zealand$/),
  ]);
  await db.updateTable('listings').set({ status: 'inactive' }).where('id', '=', first.id).execute();
  expect(await lastMail()).toEqual([2, [`${word} two`]]);
  await publish({ title: `${word} three` });
  await morning(tuesdayMorning);
  expect(await lastMail()).toEqual([1, [`${word} three`]]);
});

test('an alert for a place matches sellers whose travel radius reaches it', async () => {
  const user = await given.member();
  await createAlert(user, { near: 'Darwin', km: '10' });
  // 24.7 and 26.7 km away.
  const [near, far] = [findLocalityBySlug(23, 'freds-pass'), findLocalityBySlug(23, 'bees-creek')];
  await publish({ title: 'Comes just so far', district: 2302, base: near?.code ?? null, radiusKm: 25 });
  await publish({ title: 'Comes less far', district: 2302, base: far?.code ?? null, radiusKm: 26 });
  // 7 a.m. in Sydney is 5:30 a.m. in Darwin.
  await morning('2027-02-28T22:00:00Z');
  const [mail] = await alertMailsTo(user);
  expect(mail?.blocks.flatMap((block) => (block.kind === 'links' ? block.rows.map(({ label }) => label) : []))).toEqual([
    'Comes just so far',
  ]);
});

test('a link for another subscription pauses no alert', async () => {
  const user = await given.member();
  const { _id: id } = await createAlert(user, { q: 'gutters' });
  const endOf = await signUnsubscribeLinks(db, { oneClick: site, page: site });
  const tokenOf = (email: string) => new URL(endOf(email).oneClick).searchParams.get('token') ?? '';
  expect((await asVisitor.post(`/alerts/end?token=${tokenOf(`${id}.figures`)}`)).body.code).toBe('link_not_valid');
  expect((await asVisitor.post(`/alerts/end?token=${tokenOf(`${id}.alert`)}`)).body).toMatchObject({ isPaused: true });
});

test('emails a new listing once on the next morning, despite repeated and concurrent jobs', async () => {
  const user = await given.member({ fullName: 'Mere Kingi' });
  const before = await given.published('basic', [], { serviceTitle: 'Zqone plumbers' });
  const alert = await createAlert(user, { q: 'zqone', raw: '1' });
  clock.set(new Date(clock.now().getTime() + 60_000));
  const { listing, seller } = await given.published('basic', [], { serviceTitle: 'Zqone friendly plumber' });
  await times(4, () => matchAlerts(context));
  await emailAlerts(context);
  // At midday, when daily emails are sent too.
  const mails = await alertMailsTo(user);
  expect(mails).toHaveLength(1);
  await morning();
  await times(4, () => emailAlerts(context));
  await morning(tuesdayMorning);
  expect(await alertMailsTo(user)).toEqual(mails);
  const [mail] = mails;
  expect(mail).toMatchObject({ subject: '1 new listing: “zqone” everywhere', greeting: 'Kia ora Mere' });
  expect(mail?.blocks).toEqual([
    { kind: 'text', text: 'New for your alert: “zqone” everywhere' },
    {
      kind: 'links',
      rows: [
        {
          label: 'Zqone friendly plumber',
          url: `${site}/listing/${listing._id}`,
          text: `Kingi & Daughters · Plumbing · ${locationLine('Taupō, Waikato, New Zealand')}`,
        },
      ],
    },
    { kind: 'button', label: 'See all, newest first', url: `${site}/search?q=zqone&raw=1&sort=newest` },
  ]);
  expect(await alertsOf(user)).toMatchObject([
    { _id: alert._id, lastMail: { total: 1, listings: [{ _id: listing._id, title: 'Zqone friendly plumber' }] } },
  ]);

  // An edited or reactivated listing is not new; nor is an older one.
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { serviceTitle: 'Zqone plumbers, better' });
  expect((await as(seller).putForm(`/listing/${listing._id}`, form)).status).toBe(200);
  expect((await as(before.seller).put(`/listing/${before.listing._id}/deactivate`)).status).toBe(200);
  expect((await as(before.seller).put(`/listing/${before.listing._id}/reactivate`)).status).toBe(200);
  await morning('2027-03-02T18:30:00Z');
  expect(await alertMailsTo(user)).toEqual(mails);
});

test('daily alerts are emailed once a day, weekly ones on Monday, in the time zone of the searched country', async () => {
  const word = ownWord();
  const user = await given.member();
  await createAlert(user, { q: word, raw: '1', country: 'NZ', frequency: 'weekly' });
  await createAlert(user, { q: word, raw: '1', country: 'AU', frequency: 'weekly' });
  await createAlert(user, { q: word, raw: '1' });
  const names = async () => (await alertMailsTo(user)).map(({ subject }) => subject.replace(/ new listings?: .*? (in|everywhere)/, ' $1'));
  await publish({ title: word, district: 306 });
  await publish({ title: word, district: 1701 });
  // Sunday afternoon, after the matching.
  await matchAlerts(context);
  await emailAlerts(context);
  expect(await names()).toEqual(['2 everywhere']);
  await publish({ title: `${word} more`, district: 306 });
  await matchAlerts(context);
  await emailAlerts(context);
  expect(await names()).toEqual(['2 everywhere']);
  at(mondayMorning);
  await emailAlerts(context);
  const onMonday = ['2 everywhere', '2 in New Zealand, and 1 more alert'];
  expect(await names()).toEqual(onMonday);
  at('2027-02-28T20:00:00Z');
  await emailAlerts(context);
  expect(await names()).toEqual([...onMonday, '1 in Australia']);
});

test('an email shows the ten newest listings, counts the others and links to all', async () => {
  const word = ownWord();
  const user = await given.member();
  await createAlert(user, { q: word, raw: '1', region: 'waikato' });
  const seller = await given.user();
  const numbers: number[] = [];
  for (let index = 0; index < 12; index += 1) numbers.push((await publish({ title: `${word} ${index}` })).listing_number);
  await publish({ title: word, district: 1701, sellerId: seller._id });
  await morning();
  const [mail] = await alertMailsTo(user);
  expect(mail?.subject).toMatch(/^12 new listings: /);
  const links = mail?.blocks.find((block) => block.kind === 'links');
  expect(links?.rows.map(({ label }) => label)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${word} ${index}`));
  expect(mail?.blocks).toContainEqual({ kind: 'text', text: 'And 2 more.' });
  const button = mail?.blocks.find((block) => block.kind === 'button');
  const { body } = await asVisitor.get(button?.url.replace(site, '') ?? '');
  expect(body.listings.map((one: { listingNumber: number }) => one.listingNumber)).toEqual(numbers.toReversed());
  const [alert] = await alertsOf(user);
  expect([alert.lastMail.total, alert.lastMail.listings.map(({ title }: { title: string }) => title)]).toEqual([
    12,
    links?.rows.map(({ label }) => label),
  ]);
});

test('an alert does not match the user’s own listings', async () => {
  const word = ownWord();
  const user = await given.member();
  await createAlert(user, { q: word, raw: '1' });
  await publish({ title: word, sellerId: user._id });
  await morning();
  expect(await alertMailsTo(user)).toEqual([]);
});

test('leaves out listings that are no longer active; sends no email when nothing is left', async () => {
  const word = ownWord();
  const user = await given.member();
  await createAlert(user, { q: word, raw: '1' });
  await createAlert(user, { q: `${word} only`, raw: '1' });
  const [paused, stays] = [await publish({ title: `${word} only` }), await publish({ title: word })];
  await matchAlerts(context);
  const set = (status: 'active' | 'inactive') => db.updateTable('listings').set({ status }).where('id', '=', paused.id).execute();
  await set('inactive');
  await morning();
  const mails = await alertMailsTo(user);
  expect(mails.map(({ subject }) => subject)).toEqual([`1 new listing: “${word}” everywhere`]);
  expect(JSON.stringify(mails)).toContain(stays.id);
  // The match has expired.
  await set('active');
  await morning(tuesdayMorning);
  expect(await alertMailsTo(user)).toHaveLength(1);
});

test('a new listing that is deactivated before the matching stays queued for a week', async () => {
  const word = ownWord();
  const user = await given.member();
  await createAlert(user, { q: word, raw: '1' });
  const [soon, inTime, late] = [
    await publish({ title: `${word} soon` }),
    await publish({ title: `${word} in time` }),
    await publish({ title: `${word} late` }),
  ];
  const set = (id: string, status: 'active' | 'inactive') => db.updateTable('listings').set({ status }).where('id', '=', id).execute();
  await set(soon.id, 'inactive');
  await set(inTime.id, 'inactive');
  await set(late.id, 'inactive');
  await morning();
  expect(await alertMailsTo(user)).toEqual([]);
  await set(soon.id, 'active');
  await morning(tuesdayMorning);
  expect((await alertMailsTo(user)).map(({ preview }) => preview)).toEqual([`${word} soon`]);
  // A few hours less than a week.
  await morning('2027-03-06T18:30:00Z');
  await set(inTime.id, 'active');
  await morning('2027-03-06T18:40:00Z');
  expect((await alertMailsTo(user)).map(({ preview }) => preview)).toEqual([`${word} soon`, `${word} in time`]);
  await morning('2027-03-08T18:30:00Z');
  await set(late.id, 'active');
  await morning('2027-03-09T18:30:00Z');
  expect(await alertMailsTo(user)).toHaveLength(2);
});

test.each<[string, Record<string, string>]>([
  ['a point near Perth', { near: '-31.95,115.86', km: '20' }],
  ['a suburb of Perth', { where: 'Fremantle' }],
  ['the district', { where: 'Perth' }],
  ['Western Australia', { region: 'western-australia' }],
])('an alert about %s is emailed in the daytime of Perth, not of Auckland or Sydney', async (_, place) => {
  const [there, everywhere] = [await given.member(), await given.member()];
  const word = ownWord();
  await createAlert(there, { q: word, raw: '1', ...place });
  await createAlert(everywhere, { q: word, raw: '1', country: 'AU' });
  // A user with alerts for Perth and the whole country gets one email with both.
  const both = await given.member();
  await createAlert(both, { q: word, raw: '1', country: 'AU' });
  await createAlert(both, { q: word, raw: '1', ...place });
  await publish({ title: `${word} one`, district: 2101, base: findLocalityBySlug(21, 'fremantle')?.code ?? null, radiusKm: 30 });
  const mailed = async (time: string) => {
    await morning(time);
    return Promise.all([there, everywhere, both].map(async (user) => (await alertMailsTo(user)).length));
  };
  // 7 a.m. in Auckland, 7 a.m. in Sydney, 6:59 and 7 a.m. in Perth.
  expect(await mailed('2027-02-28T18:00:00Z')).toEqual([0, 0, 0]);
  expect(await mailed('2027-02-28T20:00:00Z')).toEqual([0, 1, 0]);
  expect(await mailed('2027-02-28T22:59:00Z')).toEqual([0, 1, 0]);
  expect(await mailed('2027-02-28T23:00:00Z')).toEqual([1, 1, 1]);
  expect((await alertsOf(both)).map(({ lastMail }: { lastMail: { total: number } | null }) => lastMail?.total)).toEqual([1, 1]);
  expect(await mailed('2027-03-01T09:00:00Z')).toEqual([1, 1, 1]);
});

test('one email covers all alerts of a user, each with its listings and its own pause link, with concurrent servers', async () => {
  const word = ownWord();
  const [user, other] = [await given.member(), await given.member()];
  const searches: Record<string, string>[] = [
    { q: word, raw: '1' },
    { q: `${word} roof`, raw: '1' },
    { q: `${word} drains`, raw: '1' },
  ];
  const alerts: { _id: string; name: string }[] = [];
  for (const search of searches) alerts.push(await createAlert(user, search));
  await createAlert(user, { q: `${word} nothing`, raw: '1' });
  await createAlert(other, { q: `${word} roof`, raw: '1' });
  for (const title of [`${word} roof one`, `${word} drains`, `${word} roof two`, `${word} roof three`, `${word} roof four`])
    await publish({ title });
  at(mondayMorning);
  await matchAlerts(context);
  await times(4, () => emailAlerts(context));
  await emailAlerts(context);
  expect(await alertMailsTo(other)).toMatchObject([{ subject: `4 new listings: “${word} roof” everywhere` }]);
  const [mail, ...more] = await alertMailsTo(user);
  expect(more).toEqual([]);
  // A listing matched by several alerts counts once.
  expect(mail).toMatchObject({
    subject: `5 new listings: “${word}” everywhere, and 2 more alerts`,
    preview: `${word} roof four`,
    reason: 'You get this email on days when something new matches your alerts.',
    end: { label: 'Pause all of these alerts' },
  });
  const headings = mail?.blocks.flatMap((block) => (block.kind === 'heading' ? [block.text] : []));
  expect(headings).toEqual(alerts.map(({ name }) => name));
  const links = mail?.blocks.flatMap((block) => (block.kind === 'links' ? [block.rows.map(({ label }) => label)] : []));
  const ways = ['See all, newest first', 'Pause this alert'];
  const roofs = ['four', 'three', 'two'].map((one) => `${word} roof ${one}`);
  expect(links).toEqual([roofs, ways, roofs, ways, [`${word} drains`], ways]);
  expect(mail?.blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []))).toEqual(['And 2 more.', 'And 1 more.']);
  expect((await alertsOf(user)).map((one: { lastMail: { total: number } | null }) => one.lastMail?.total)).toEqual([undefined, 1, 4, 5]);

  const isPaused = async () => (await alertsOf(user)).map((one: { isPaused: boolean }) => one.isPaused);
  const press = async (call: string, address: string) =>
    (await asVisitor.post(`/alerts/${call}?token=${new URL(address).searchParams.get('token')}`)).body;
  const [, second] =
    mail?.blocks.flatMap((block) => (block.kind === 'links' ? block.rows.filter(({ label }) => label === ways[1]) : [])) ?? [];
  expect(await press('end', second?.url ?? '')).toEqual({ names: [alerts[1]?.name], isPaused: true });
  expect(await isPaused()).toEqual([false, false, true, false]);
  const all = mail?.end?.oneClick ?? '';
  expect(await press('end', all)).toEqual({ names: alerts.map(({ name }) => name), isPaused: true });
  expect(await isPaused()).toEqual([false, true, true, true]);
  await as(user).delete(`/alerts/${alerts[0]?._id}`);
  expect(await press('resume', all)).toEqual({ names: alerts.slice(1).map(({ name }) => name), isPaused: false });
  expect(await isPaused()).toEqual([false, false, false]);
});

test('emails every user once when there are more than one batch holds', async () => {
  const word = ownWord();
  const people = await Promise.all(Array.from({ length: 5 }, () => given.member()));
  for (const user of people) await createAlert(user, { q: word, raw: '1' });
  await publish({ title: `${word} one` });
  at(mondayMorning);
  await matchAlerts(context);
  await emailAlerts(context, 2);
  await emailAlerts(context, 2);
  for (const user of people) expect(await alertMailsTo(user)).toMatchObject([{ subject: `1 new listing: “${word}” everywhere` }]);

  await publish({ title: `${word} two` });
  at(tuesdayMorning);
  await matchAlerts(context);
  await emailAlerts(context, people.length);
  for (const user of people) expect(await alertMailsTo(user)).toHaveLength(2);
});

test('the link that pauses all twenty alerts fits into an email header', async () => {
  const word = ownWord();
  const user = await given.member();
  const words = Array.from({ length: maxAlerts }, (_, index) => `${word}${String.fromCharCode(97 + index)}`);
  for (const q of words) await createAlert(user, { q, raw: '1' });
  await publish({ title: word, services: words });
  await morning();
  const [mail] = await alertMailsTo(user);
  const oneClick = mail?.end?.oneClick ?? '';
  expect(mail?.subject).toMatch(/, and 19 more alerts$/);
  // RFC 5322 limits a line to 998 characters.
  expect(`List-Unsubscribe: <${oneClick}>`.length).toBeLessThan(998);
  expect((await asVisitor.post(oneClick.replace(`${site}/api`, ''))).body.names).toHaveLength(maxAlerts);
});

test('a user locked by another change is emailed later, with all their alerts', async () => {
  const word = ownWord();
  const user = await given.member();
  for (const q of [word, `${word} roof`]) await createAlert(user, { q, raw: '1' });
  await publish({ title: `${word} roof` });
  at(mondayMorning);
  await matchAlerts(context);
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, user._id);
    await emailAlerts(context);
  });
  expect(await alertMailsTo(user)).toEqual([]);
  await emailAlerts(context);
  expect((await alertMailsTo(user)).map(({ subject }) => subject)).toEqual([expect.stringMatching(/, and 1 more alert$/)]);
});

test('emails confirmed addresses of active accounts only; matches skipped meanwhile are not sent later', async () => {
  const word = ownWord();
  const [unconfirmed, suspended, reader] = [await given.user(), await given.member(), await given.member()];
  for (const user of [unconfirmed, suspended, reader]) await createAlert(user, { q: word, raw: '1' });
  const set = (user: User, change: object) => db.updateTable('users').set(change).where('id', '=', user._id).execute();
  await set(suspended, { suspended_at: new Date() });
  await publish({ title: word });
  await morning();
  await set(suspended, { suspended_at: null });
  await set(unconfirmed, { email_confirmed_at: new Date() });
  await morning(tuesdayMorning);
  const counts = await Promise.all([unconfirmed, suspended, reader].map(async (user) => (await alertMailsTo(user)).length));
  expect(counts).toEqual([0, 0, 1]);
  await publish({ title: word });
  await morning('2027-03-02T18:30:00Z');
  expect(await alertMailsTo(unconfirmed)).toHaveLength(1);
});

test('a paused alert ignores new listings and continues from when it is resumed', async () => {
  const word = ownWord();
  const user = await given.member();
  const { _id: id } = await createAlert(user, { q: word, raw: '1' });
  await publish({ title: `${word} before` });
  await matchAlerts(context);
  await as(user).put(`/alerts/${id}`, { isPaused: true });
  await publish({ title: `${word} meanwhile` });
  await morning();
  expect(await alertMailsTo(user)).toEqual([]);
  await publish({ title: `${word} unseen` });
  clock.set(new Date(clock.now().getTime() + 60_000));
  await as(user).put(`/alerts/${id}`, { isPaused: false });
  await publish({ title: `${word} after` });
  await morning(tuesdayMorning);
  expect((await alertMailsTo(user)).map(({ subject, preview }) => [subject.slice(0, 5), preview])).toEqual([['1 new', `${word} after`]]);
});

test('a deleted alert sends no email and is purged after a day', async () => {
  const word = ownWord();
  const user = await given.member();
  const { _id: id } = await createAlert(user, { q: word, raw: '1' });
  await publish({ title: word });
  await matchAlerts(context);
  await as(user).delete(`/alerts/${id}`);
  await morning();
  expect(await alertMailsTo(user)).toEqual([]);
  const rows = () => db.selectFrom('alerts').select('id').where('id', '=', id).execute();
  expect(await rows()).toHaveLength(1);
  await morning(tuesdayMorning);
  expect(await rows()).toEqual([]);
});

const failing = async (table: 'alert_finds' | 'alerts', on: 'insert' | 'update', work: () => Promise<unknown>) => {
  await sql`create function fail_now() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(db);
  await sql`create trigger fail_now after ${sql.raw(on)} on ${sql.table(table)} execute function fail_now()`.execute(db);
  await expect(work()).rejects.toThrow('killed');
  await sql`drop function fail_now cascade`.execute(db);
};

test('interrupted matching and emailing is retried and emails each listing once', async () => {
  const word = ownWord();
  const user = await given.member();
  await createAlert(user, { q: word, raw: '1' });
  await publish({ title: word });
  await failing('alert_finds', 'insert', () => matchAlerts(context));
  await matchAlerts(context);
  await failing('alerts', 'update', () => emailAlerts(context));
  expect(await alertMailsTo(user)).toEqual([]);
  await emailAlerts(context);
  await morning();
  expect(await alertMailsTo(user)).toHaveLength(1);
});

test('an email’s one-click link pauses the alert without sign-in; a visit changes nothing; it can be resumed', async () => {
  const word = ownWord();
  const user = await given.member();
  const { _id: id } = await createAlert(user, { q: word, raw: '1' });
  const { _id: other } = await createAlert(user, { q: `${word} other`, raw: '1' });
  await publish({ title: word });
  await morning();
  const [mail] = await alertMailsTo(user);
  const { oneClick = '', page = '', label } = mail?.end ?? {};
  expect(label).toBe('Pause this alert');
  const visit = await app.inject({ url: oneClick.replace(site, '') });
  expect([visit.statusCode, visit.headers.location]).toEqual([303, page]);
  expect(page.startsWith(`${site}/alerts/end?token=`)).toBe(true);
  const paused = async () =>
    Object.fromEntries((await alertsOf(user)).map((one: { _id: string; isPaused: boolean }) => [one._id, one.isPaused]));
  expect(await paused()).toEqual({ [id]: false, [other]: false });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const click = () => app.inject({ method: 'POST', url: oneClick.replace(site, ''), headers, payload: 'List-Unsubscribe=One-Click' });
  const answer = await click();
  expect([answer.statusCode, answer.json()]).toEqual([200, { names: [`“${word}” everywhere`], isPaused: true }]);
  expect((await click()).json()).toMatchObject({ isPaused: true });
  expect(await paused()).toEqual({ [id]: true, [other]: false });
  await publish({ title: word });
  clock.set(new Date(clock.now().getTime() + 60_000));
  const token = new URL(oneClick).searchParams.get('token') ?? '';
  expect((await asVisitor.post(`/alerts/resume?token=${token}`)).body).toMatchObject({ isPaused: false });
  await morning(tuesdayMorning);
  expect(await alertMailsTo(user)).toHaveLength(1);

  for (const wrong of [
    token.replace(id, other),
    token.replace('alert', 'figures'),
    `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
  ])
    expect((await asVisitor.post(`/alerts/end?token=${wrong}`)).body.code).toBe('link_not_valid');
  const mails = await asVisitor.post(`/mails/end?token=${token}`);
  expect([mails.status, mails.body.code]).toEqual([400, 'link_not_valid']);
  await as(user).delete(`/alerts/${id}`);
  expect((await asVisitor.post(`/alerts/end?token=${token}`)).body.code).toBe('link_not_valid');
});

test('deletes old matches except those of the last email', async () => {
  const word = ownWord();
  const user = await given.member();
  await createAlert(user, { q: word, raw: '1' });
  await publish({ title: `${word} first` });
  await morning();
  await publish({ title: `${word} second` });
  await morning(tuesdayMorning);
  const finds = async () =>
    (
      await db
        .selectFrom('alert_finds')
        .innerJoin('alerts', 'alerts.id', 'alert_id')
        .innerJoin('listings', 'listings.id', 'listing_id')
        .select('service_title')
        .where('user_id', '=', user._id)
        .orderBy('listing_number')
        .execute()
    ).map((one) => one.service_title);
  await morning('2027-04-28T18:30:00Z');
  expect(await finds()).toEqual([`${word} first`, `${word} second`]);
  await morning('2027-05-02T18:30:00Z');
  expect(await finds()).toEqual([`${word} second`]);
});

test.each(['listings', 'search_vocabulary', 'alert_finds'])('a run that times out on a lock of %s is repeated whole', async (table) => {
  const database = openDatabase({ url: parts.databaseUrl, connections: 2, statementMs: 300, onIdleError: () => {} });
  onTestFinished(() => database.close());
  const member = await given.member();
  const word = ownWord();
  const alert = await createAlert(member, { q: word, raw: '1' });
  const { id } = await publish({ title: `Walls ${word}`, district: 306 });
  await db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    await expect(matchAlerts({ ...context, db: database.db })).rejects.toThrow(/statement timeout|took too long/);
  });
  const findsOf = () => db.selectFrom('alert_finds').select('listing_id').where('alert_id', '=', alert._id).execute();
  expect(await findsOf()).toEqual([]);
  await matchAlerts(context);
  expect(await findsOf()).toEqual([{ listing_id: id }]);
});
