import { expect, test } from 'vitest';
import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import { getMonday } from '@handwise/contract/listings/availability';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { createMailChecks } from '../../composition/job-handlers.ts';
import { limitToAvailability } from '../listings/listings.service.ts';
import { describeEnding, getReminderTime, moveAvailability, toAvailabilityColumns } from './selling.availability.ts';
import { remindOfAvailability } from './selling.jobs.ts';

const { app, db, given, callers, outbox, parts } = await testApp({}, await testSite());
const { as, asVisitor } = callers;
const { context } = parts;

const auckland = 'Pacific/Auckland';
const perth = 'Australia/Perth';
const adelaide = 'Australia/Adelaide';

// New Zealand's clocks go forward on Sep 26, 2027 and back on Apr 4, 2027; South Australia's forward on Oct 3, 2027.
test.each([
  ['2026-11-24T00:00Z', auckland, 'this_week', '2026-11-22T11:00Z', '2026-11-29T11:00Z'],
  ['2026-11-29T10:59Z', auckland, 'this_week', '2026-11-22T11:00Z', '2026-11-29T11:00Z'],
  ['2026-11-29T11:00Z', auckland, 'this_week', '2026-11-29T11:00Z', '2026-12-06T11:00Z'],
  ['2026-11-29T11:00Z', perth, 'this_week', '2026-11-22T16:00Z', '2026-11-29T16:00Z'],
  ['2026-11-24T00:00Z', auckland, 'next_week', '2026-11-29T11:00Z', '2026-12-06T11:00Z'],
  ['2027-09-21T00:00Z', auckland, 'this_week', '2027-09-19T12:00Z', '2027-09-26T11:00Z'],
  ['2027-09-21T00:00Z', auckland, 'next_week', '2027-09-26T11:00Z', '2027-10-03T11:00Z'],
  ['2027-03-30T00:00Z', auckland, 'this_week', '2027-03-28T11:00Z', '2027-04-04T12:00Z'],
  ['2027-09-30T00:00Z', adelaide, 'this_week', '2027-09-26T14:30Z', '2027-10-03T13:30Z'],
] as const)('at %s in %s, %s holds from %s to %s', (now, zone, state, from, until) => {
  expect(toAvailabilityColumns({ state }, new Date(now), zone)).toEqual({
    available_from: new Date(from),
    available_until: new Date(until),
    booked_until: null,
  });
});

test.each([
  ['2027-09-20T00:00Z', auckland, '2027-09-26', '2027-09-26T11:00Z'],
  ['2027-09-20T00:00Z', auckland, '2027-09-25', '2027-09-25T12:00Z'],
  ['2027-09-20T00:00Z', auckland, '2027-09-20', '2027-09-20T12:00Z'],
  ['2027-09-20T00:00Z', auckland, '2027-12-19', '2027-12-19T11:00Z'],
])('at %s in %s, booked until %s ends at %s', (now, zone, until, end) => {
  const columns = toAvailabilityColumns({ state: 'booked_until', until }, new Date(now), zone);
  expect(columns).toEqual({ available_from: null, available_until: null, booked_until: new Date(end) });
});

test.each([undefined, '', '2027-09-19', '2027-12-20'])('rejects booked until %s on Sep 20, 2027', (until) => {
  expect(() => toAvailabilityColumns({ state: 'booked_until', until }, new Date('2027-09-20T00:00Z'), auckland)).toThrow('marked fields');
});

test('reminds at 4 pm on the last day, or at the end if that is over', () => {
  const columns = toAvailabilityColumns({ state: 'this_week' }, new Date('2027-09-21T00:00Z'), auckland);
  expect(getReminderTime(columns, new Date('2027-09-21T00:00Z'), auckland)).toEqual(new Date('2027-09-26T03:00Z'));
  expect(getReminderTime(columns, new Date('2027-09-26T03:00Z'), auckland)).toEqual(new Date('2027-09-26T11:00Z'));
});

test('a listing that moves to other clocks stays available on the same days', () => {
  const columns = toAvailabilityColumns({ state: 'this_week' }, new Date('2026-11-24T00:00Z'), perth);
  const [western, queensland] = [
    { region_code: 21, country: 'AU' as const },
    { region_code: 19, country: 'AU' as const },
  ];
  expect(moveAvailability(columns, western, queensland)).toEqual({
    available_from: new Date('2026-11-22T14:00Z'),
    available_until: new Date('2026-11-29T14:00Z'),
    booked_until: null,
  });
  expect(moveAvailability(columns, western, western)).toEqual({});
  const eastern = toAvailabilityColumns(
    { state: 'booked_until', until: '2026-11-30' },
    new Date('2026-11-24T00:00Z'),
    'Australia/Brisbane',
  );
  expect(moveAvailability(eastern, queensland, western)).toMatchObject({ booked_until: new Date('2026-11-30T16:00Z') });
});

test('describes an availability until the week after it begins, and as over from its end on', () => {
  const end = new Date('2026-11-29T11:00Z');
  const week = { available_from: new Date('2026-11-22T11:00Z'), available_until: end, booked_until: null };
  const ending = { availability: { state: 'this_week', until: '2026-11-29' }, hasEnded: false, nextWeek: '2026-11-30', timeZone: auckland };
  expect(describeEnding(week, new Date(end.getTime() - 1), auckland)).toEqual(ending);
  expect(describeEnding(week, end, auckland)).toBeNull();
  // Booked until a Wednesday.
  const booked = { available_from: null, available_until: null, booked_until: new Date('2026-12-02T11:00Z') };
  const untilWednesday = {
    availability: { state: 'booked_until', until: '2026-12-02' },
    hasEnded: false,
    nextWeek: '2026-12-07',
    timeZone: auckland,
  };
  expect(describeEnding(booked, new Date('2026-12-02T10:59Z'), auckland)).toEqual(untilWednesday);
  expect(describeEnding(booked, new Date('2026-12-06T10:59Z'), auckland)).toEqual({ ...untilWednesday, hasEnded: true });
  expect(describeEnding(booked, new Date('2026-12-06T11:00Z'), auckland)).toBeNull();
  expect(describeEnding({ ...booked, booked_until: null }, end, auckland)).toBeNull();
});

test('caches a response that says who is available until the next quarter of an hour at most', () => {
  const policy = { tags: ['a'], maxAgeSeconds: 600 };
  expect(limitToAvailability(policy, true, Date.parse('2026-11-29T10:59:00Z')).maxAgeSeconds).toBe(60);
  expect(limitToAvailability(policy, true, Date.parse('2026-11-29T11:00:00Z')).maxAgeSeconds).toBe(600);
  expect(limitToAvailability(policy, false, Date.parse('2026-11-29T10:59:00Z'))).toEqual(policy);
});

async function published() {
  const seller = await given.user();
  const { id } = await given.listing({ sellerId: seller._id, category: 8, title: 'Painter with time' });
  const shown = async () => (await asVisitor.get(`/listing/${id}`)).body.availability;
  const found = async () =>
    (await asVisitor.get('/search?category=painting&available=1')).body.listings.some(({ _id }: { _id: string }) => _id === id);
  return { seller, id, shown, found, setAvailability: (body: object) => as(seller).put(`/listing/${id}/availability`, body) };
}
const today = () => getDay(new Date(), auckland);
const sunday = () => addDays(getMonday(today()), 6);

test('says this week, next week or booked on card, page and search, and takes it back', async () => {
  const { seller, id, shown, found, setAvailability } = await published();
  expect([await shown(), await found()]).toEqual([null, false]);
  const answer = await setAvailability({ state: 'this_week' });
  expect([answer.status, answer.body.listing.availability]).toEqual([200, { state: 'this_week', until: sunday() }]);
  expect([await shown(), await found()]).toEqual([{ state: 'this_week', until: sunday() }, true]);
  const card = (await asVisitor.get('/search?category=painting')).body.listings.find(({ _id }: { _id: string }) => _id === id);
  expect(card.availability).toEqual({ state: 'this_week', until: sunday() });
  expect((await app.inject(`/listing/${id}`)).body).toContain('Available this week');
  expect((await app.inject('/services/painting')).body).toContain('Available this week');
  await setAvailability({ state: 'next_week' });
  expect([await shown(), await found()]).toEqual([{ state: 'next_week', until: addDays(sunday(), 7) }, false]);
  const until = addDays(today(), 30);
  await setAvailability({ state: 'booked_until', until });
  expect([await shown(), await found()]).toEqual([{ state: 'booked_until', until }, false]);
  expect((await as(seller).delete(`/listing/${id}/availability`)).body.listing.availability).toBeNull();
  expect(await shown()).toBeNull();
  expect(await db.selectFrom('availability_reminders').selectAll().where('listing_id', '=', id).execute()).toEqual([]);
});

test('rejects a wrong choice, another seller and a listing that is not active, and changes nothing', async () => {
  const { seller, id, shown, setAvailability } = await published();
  for (const body of [{}, { state: 'always' }, { state: 'booked_until' }, { state: 'booked_until', until: '2027-02-30' }])
    expect(await setAvailability(body)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  expect(await setAvailability({ state: 'booked_until', until: addDays(today(), 91) })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'until', message: 'Choose a day in the next 90 days' }] },
  });
  const other = await given.user();
  expect(await as(other).put(`/listing/${id}/availability`, { state: 'this_week' })).toMatchObject({ status: 404 });
  expect(await as(other).delete(`/listing/${id}/availability`)).toMatchObject({ status: 404 });
  expect(await shown()).toBeNull();
  await as(seller).put(`/listing/${id}/deactivate`);
  expect(await setAvailability({ state: 'this_week' })).toMatchObject({ status: 409, body: { code: 'listing_not_active' } });
});

test('ends and begins by the clock, without any job', async () => {
  const { id, shown, found, setAvailability } = await published();
  const set = async (columns: { available_from: Date | null; available_until: Date | null; booked_until: Date | null }) => {
    await db.updateTable('listings').set(columns).where('id', '=', id).execute();
    await context.events.catchUp();
  };
  const [past, soon] = [new Date(Date.now() - 1_000), new Date(Date.now() + 3_600_000)];
  await setAvailability({ state: 'next_week' });
  // Its Monday has come.
  await set({ available_from: past, available_until: soon, booked_until: null });
  expect([(await shown()).state, await found()]).toEqual(['this_week', true]);
  await set({ available_from: new Date(0), available_until: past, booked_until: null });
  expect([await shown(), await found()]).toEqual([null, false]);
  await set({ available_from: null, available_until: null, booked_until: past });
  expect(await shown()).toBeNull();
});

test('moves the reminder when something else is said about the time', async () => {
  const { id, setAvailability } = await published();
  const listReminders = async () =>
    (await db.selectFrom('availability_reminders').select('remind_at').where('listing_id', '=', id).execute()).map((row) =>
      row.remind_at.getTime(),
    );
  await setAvailability({ state: 'next_week' });
  const [later = 0] = await listReminders();
  await setAvailability({ state: 'this_week' });
  const reminders = await listReminders();
  expect(reminders).toHaveLength(1);
  expect(reminders[0]).toBeLessThan(later);
});

test('reminds once, by a link that changes nothing until it is confirmed', async () => {
  const { seller, id, shown, setAvailability } = await published();
  await setAvailability({ state: 'next_week' });
  const mailsTo = async () => (await outbox.mails()).filter(({ to }) => to === seller.email);
  const before = (await mailsTo()).length;
  const at = (now: Date) => remindOfAvailability({ ...context, clock: { now: () => now } });
  await at(new Date(Date.now() - 7 * 86_400_000));
  expect(await mailsTo()).toHaveLength(before);
  const later = getMoment(addDays(sunday(), 7), '16:05', auckland);
  await Promise.all([at(later), at(later), at(later)]);
  await at(later);
  const sent = (await mailsTo()).slice(before);
  const monday = addDays(sunday(), 8);
  expect(sent).toHaveLength(1);
  // An email that waits for its mail server until that week has begun is dropped.
  const { check = 'week_ahead', key = '' } = sent[0]?.onlyIf ?? {};
  const isSentAt = (now: Date) => createMailChecks({ ...context, clock: { now: () => now } })[check](key);
  const begin = getMoment(monday, '00:00', auckland);
  expect([await isSentAt(new Date(begin.getTime() - 1)), await isSentAt(begin)]).toEqual([true, false]);
  expect(JSON.stringify(sent[0])).toContain(`http://localhost:3000/mylistings/mylistings?listing=${id}&week=${monday}`);
  const shownBefore = await shown();
  await app.inject(`/mylistings/mylistings?listing=${id}&week=${monday}`);
  expect(await shown()).toEqual(shownBefore);
});

test.each([
  ['of a listing whose plan has ended, although no job has marked it yet', addDays(sunday(), 7), '16:05', true],
  ['about a week that has begun while no worker ran', addDays(sunday(), 8), '00:05', false],
])('sends no reminder %s', async (_, day, time, hasEnded) => {
  const { seller, id, setAvailability } = await published();
  await setAvailability({ state: 'next_week' });
  const count = async () => (await outbox.mails()).filter(({ to }) => to === seller.email).length;
  const before = await count();
  const now = getMoment(day, time, auckland);
  if (hasEnded) await db.updateTable('listings').set({ subscription_ends_at: now }).where('id', '=', id).execute();
  await remindOfAvailability({ ...context, clock: { now: () => now } });
  expect(await count()).toBe(before);
  expect(await db.selectFrom('availability_reminders').selectAll().where('listing_id', '=', id).execute()).toEqual([]);
});

test('sends no reminder for what was taken back, or for a listing that is no longer active', async () => {
  const later = getMoment(addDays(sunday(), 7), '16:05', auckland);
  const [back, inactive] = [await published(), await published()];
  for (const { setAvailability } of [back, inactive]) await setAvailability({ state: 'next_week' });
  await as(back.seller).delete(`/listing/${back.id}/availability`);
  await as(inactive.seller).put(`/listing/${inactive.id}/deactivate`);
  const sellers = new Set([back.seller.email, inactive.seller.email]);
  const count = async () => (await outbox.mails()).filter(({ to }) => sellers.has(to)).length;
  const before = await count();
  await remindOfAvailability({ ...context, clock: { now: () => later } });
  expect(await count()).toBe(before);
});
