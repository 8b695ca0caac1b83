import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { emailWeeklyAnalytics, findWeekToReport } from './analytics.weekly.ts';

const { app, given, db, callers, outbox, parts } = await testApp();
const { as } = callers;
const { clock, context } = parts;

// 8 a.m. on Monday in Auckland, 3 a.m. in Perth.
const monday = '2027-02-28T19:00:00Z';
beforeEach(() => clock.set(new Date(monday)));

/** A seller with a confirmed address, and a listing with views on these days. */
async function seller(views: Record<string, number>, { district = 201, title = 'Friendly local plumber' } = {}) {
  const user = await given.user({ fullName: 'Mere Kingi' });
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  const { id } = await given.listing({ sellerId: user._id, district, title });
  await viewed(id, views);
  /** The weekly emails to this seller. */
  const mails = async () => (await outbox.mails()).filter(({ to, subject }) => to === user.email && subject.startsWith('Your week'));
  return { user, id, mails };
}

const viewed = async (listingId: string, views: Record<string, number>) => {
  const rows = Object.entries(views).map(([day, count]) => ({
    listing_id: listingId,
    day: sql<Date>`${day}::date`,
    views: count,
    visitors: 1,
  }));
  if (rows.length > 0) await db.insertInto('listing_views').values(rows).execute();
};

test.each([
  ['2027-02-28T18:59:59Z', 'Pacific/Auckland', undefined],
  ['2027-02-28T19:00:00Z', 'Pacific/Auckland', '2027-02-22'],
  ['2027-02-28T19:00:00Z', 'Australia/Perth', undefined],
  ['2027-03-01T00:00:00Z', 'Australia/Perth', '2027-02-22'],
  ['2027-03-02T10:59:59Z', 'Pacific/Auckland', '2027-02-22'],
  ['2027-03-02T11:00:00Z', 'Pacific/Auckland', undefined],
  ['2027-03-02T15:59:59Z', 'Australia/Perth', '2027-02-22'],
  ['2027-03-06T22:00:00Z', 'Pacific/Auckland', undefined],
])('at %s in %s the week to report is %s', (now, timeZone, week) => {
  expect(findWeekToReport(new Date(now), timeZone)).toBe(week);
});

/** With the non-breaking spaces of the email. */
const withFixedSpaces = (metrics: string) => metrics.replaceAll(/(\d) /g, '$1\u00a0');

test('emails a seller last week’s metrics on Monday, compared with the week before, once despite restarts', async () => {
  const { id, mails } = await seller({
    '2027-02-14': 900,
    '2027-02-15': 3,
    '2027-02-21': 7,
    '2027-02-22': 5,
    '2027-02-28': 10,
    '2027-03-01': 400,
  });
  clock.set(new Date('2027-02-28T18:59:00Z'));
  await emailWeeklyAnalytics(context);
  expect(await mails()).toEqual([]);
  clock.set(new Date(monday));
  await Promise.all([emailWeeklyAnalytics(context), emailWeeklyAnalytics(context)]);
  clock.set(new Date('2027-03-02T10:00:00Z'));
  await emailWeeklyAnalytics(context);
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ subject: 'Your week on Handwise: 15 views, 0 saves, 0 messages', greeting: 'Kia ora Mere' });
  expect(mail?.blocks).toEqual([
    { kind: 'text', text: 'Here is how your listings did from Monday, Feb 22, 2027, to Sunday, Feb 28, 2027.' },
    { kind: 'facts', rows: [{ label: 'Friendly local plumber', value: withFixedSpaces('15 views · 0 saves · 0 messages') }] },
    { kind: 'text', text: 'Views: 50% more than in the week before (10).' },
    { kind: 'button', label: 'See day by day', url: `http://localhost:3000/mylistings/figures/${id}` },
    {
      kind: 'button',
      label: 'Say that you have time this week',
      url: `http://localhost:3000/mylistings/mylistings?listing=${id}&week=2027-03-01`,
    },
  ]);
});

test('one email lists all active listings by views with their total, without those that had nothing', async () => {
  const { user, mails } = await seller({ '2027-02-25': 2 }, { title: 'Taps' });
  for (const [title, views] of [
    ['Drains', 20],
    ['Roofs', 0],
  ] as const) {
    const { id } = await given.listing({ sellerId: user._id, title });
    if (views > 0) await viewed(id, { '2027-02-25': views });
  }
  await emailWeeklyAnalytics(context);
  expect((await mails())[0]?.blocks.slice(1)).toEqual([
    {
      kind: 'facts',
      rows: [
        { label: 'Drains', value: withFixedSpaces('20 views · 0 saves · 0 messages') },
        { label: 'Taps', value: withFixedSpaces('2 views · 0 saves · 0 messages') },
        { label: 'Total', value: withFixedSpaces('22 views · 0 saves · 0 messages'), strong: true },
      ],
    },
    { kind: 'text', text: 'Views: none in the week before.' },
    { kind: 'button', label: 'See your listings', url: 'http://localhost:3000/mylistings/mylistings' },
  ]);
});

test('sends the email when it is Monday in Perth for a listing there', async () => {
  const { mails } = await seller({ '2027-02-25': 2 }, { district: 2101 });
  await emailWeeklyAnalytics(context);
  expect(await mails()).toEqual([]);
  clock.set(new Date('2027-03-01T00:00:00Z'));
  await emailWeeklyAnalytics(context);
  expect(await mails()).toHaveLength(1);
});

test('a save, a message or a shown number is enough for an email; a week without activity sends none', async () => {
  const [saved, contacted, called, quiet] = [
    await seller({}),
    await seller({}),
    await seller({}),
    await seller({ '2027-02-21': 5, '2027-03-01': 5 }),
  ];
  const buyer = await given.user();
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', buyer._id).execute();
  await as(buyer).post(`/listing/saved/${saved.id}`);
  await db
    .updateTable('saved_listings')
    .set({ saved_at: new Date('2027-02-21T11:30:00Z') })
    .where('listing_id', '=', saved.id)
    .execute();
  const { body } = await as(buyer).post('/email/send', {
    sellerId: contacted.user._id,
    listingId: contacted.id,
    message: 'Can you come on Friday?',
  });
  const at = new Date('2027-02-28T10:30:00Z');
  await db.updateTable('messages').set({ created_at: at }).where('conversation_id', '=', body.conversationId).execute();
  await db
    .insertInto('listing_views')
    .values({ listing_id: called.id, day: sql<Date>`date '2027-02-25'`, views: 0, visitors: 0, numbers_shown: 2 })
    .execute();
  await emailWeeklyAnalytics(context);
  expect((await called.mails()).map(({ subject }) => subject)).toEqual([
    'Your week on Handwise: 0 views, 0 saves, 0 messages, number shown to 2 people',
  ]);
  expect((await saved.mails()).map(({ subject }) => subject)).toEqual(['Your week on Handwise: 0 views, 1 save, 0 messages']);
  expect((await contacted.mails()).map(({ subject }) => subject)).toEqual(['Your week on Handwise: 0 views, 0 saves, 1 message']);
  expect(await quiet.mails()).toEqual([]);
});

test('sends no email to unconfirmed addresses, or suspended or deleted accounts', async () => {
  const [unconfirmed, suspended, deleted] = [
    await seller({ '2027-02-25': 2 }),
    await seller({ '2027-02-25': 2 }),
    await seller({ '2027-02-25': 2 }),
  ];
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', unconfirmed.user._id).execute();
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended.user._id).execute();
  await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', deleted.user._id).execute();
  await emailWeeklyAnalytics(context);
  expect([...(await unconfirmed.mails()), ...(await suspended.mails()), ...(await deleted.mails())]).toEqual([]);
});

test('one-click unsubscribe ends these emails only', async () => {
  const { user, id, mails } = await seller({ '2027-02-25': 2 });
  await emailWeeklyAnalytics(context);
  const [mail] = await mails();
  const address = mail?.end?.oneClick.slice('http://localhost:3000'.length) ?? '';
  const answer = await app.inject({ method: 'POST', url: address });
  expect(answer.json()).toMatchObject({ kind: 'figures', on: false });
  await viewed(id, { '2027-03-04': 9 });
  clock.set(new Date('2027-03-07T19:00:00Z'));
  await emailWeeklyAnalytics(context);
  expect(await mails()).toHaveLength(1);
  expect(await db.selectFrom('ended_mails').select('kind').where('user_id', '=', user._id).execute()).toEqual([{ kind: 'figures' }]);
});

test('a failure for one seller is logged and retried, and does not affect others', async () => {
  const [first, refused, last] = [await seller({ '2027-02-23': 2 }), await seller({ '2027-02-23': 3 }), await seller({ '2027-02-23': 4 })];
  await sql`alter table weekly_figures add constraint refused check (user_id <> ${sql.lit(refused.user._id)})`.execute(db);
  await emailWeeklyAnalytics(context);
  const counts = async () => [(await first.mails()).length, (await refused.mails()).length, (await last.mails()).length];
  expect(await counts()).toEqual([1, 0, 1]);
  expect(parts.logged.filter((line) => line.includes(refused.user._id) && line.includes('a weekly email could not be sent'))).toHaveLength(
    1,
  );
  await sql`alter table weekly_figures drop constraint refused`.execute(db);
  await emailWeeklyAnalytics(context);
  await emailWeeklyAnalytics(context);
  expect(await counts()).toEqual([1, 1, 1]);
});
