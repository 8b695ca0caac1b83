import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { addDays } from '@handwise/contract/dates';
import type { Visit } from '@handwise/contract/visits/calls';
import { testApp } from '@handwise/sandbox/testing/app';
import { failingMailsTo } from '@handwise/sandbox/testing/failing-mails';
import { times } from '@handwise/sandbox/testing/times';
import { createMailChecks } from '../../composition/job-handlers.ts';
import { emailUnseenMessages } from '../messages/messages.notify.ts';
import { listAgreedVisits } from './visits.queries.ts';
import { getOwnVisitData, remindOfVisits, takeVisit } from './visits.service.ts';

const { app, db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;

// Noon on Tuesday, December 1, in Auckland.
const start = new Date('2026-11-30T23:00:00Z');
const today = '2026-12-01';
const hourMs = 3_600_000;
beforeEach(() => clock.set(start));
const pass = (hours: number) => clock.set(new Date(start.getTime() + hours * hourMs));

type User = Awaited<ReturnType<typeof given.user>>;

const confirmedUser = async (fullName: string) => given.confirmed(await given.user({ fullName }));
async function startConversation({ seller: known, ...listing }: { seller?: User; district?: number } = {}) {
  const [seller, buyer] = [known ?? (await confirmedUser('Mere Kingi')), await confirmedUser('Tama Rua')];
  const { id: listingId } = await given.listing({ sellerId: seller._id, ...listing });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  return { seller, buyer, id: body.conversationId as string };
}

// 10 am to 11 am on December 8, which is 9 pm on the 7th in UTC.
const tuesday = { start: '2026-12-08T10:00', minutes: 60 };
const wednesday = { start: '2026-12-09T14:30', minutes: 90 };
const atTuesday = '2026-12-07T21:00:00.000Z';
const atWednesday = '2026-12-09T01:30:00.000Z';
const propose = (user: User, conversationId: string, more: object = {}) =>
  as(user).post('/visits', { conversationId, clientId: randomUUID(), times: [tuesday, wednesday], ...more });
async function proposed(user: User, conversationId: string, more: object = {}): Promise<Visit> {
  const { status, body } = await propose(user, conversationId, more);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}
type Id = { _id: string };
const take = (user: User, { _id }: Id, time = atTuesday, more: object = {}) =>
  as(user).post(`/visits/${_id}/take`, { start: time, ...more });
const move = (user: User, { _id }: Id, more: object = {}) =>
  as(user).post(`/visits/${_id}/times`, { clientId: randomUUID(), times: [wednesday], ...more });
const ask = (user: User, { _id }: Id, more: object = {}) => as(user).post(`/visits/${_id}/ask`, more);
const cancel = (user: User, { _id }: Id, more: object = {}) => as(user).post(`/visits/${_id}/cancel`, more);
const list = async (user: User, id: string): Promise<Visit[]> => (await as(user).get(`/visits?conversationId=${id}`)).body.visits;
const textsOf = async (user: User, id: string): Promise<string[]> =>
  (await as(user).get(`/messages/${id}`)).body.messages.map(({ text }: { text: string }) => text).toReversed();
const mailsTo = async ({ email }: User) =>
  (await outbox.mails()).filter(({ to, limit }) => to === email && limit?.kind.startsWith('visit.'));
const kindsTo = async (user: User) => (await mailsTo(user)).map(({ limit }) => limit?.kind.replace('visit.', ''));
const eventsOf = async (user: User) =>
  (await db.selectFrom('user_events').select('data').where('kind', '=', 'visit').where('user_id', '=', user._id).execute()).length;
const refused = (status: number, code: string, message?: RegExp) => ({
  status,
  body: { code, ...(message && { message: expect.stringMatching(message) }) },
});
/** The lines of an iCalendar text, unfolded. */
const linesOf = (text: string | undefined) => (text ?? '').replaceAll('\r\n\t', '').replaceAll('\r\n ', '').split('\r\n');
async function agreed(listing: Parameters<typeof startConversation>[0] = {}) {
  const conversation = await startConversation(listing);
  const visit = await proposed(conversation.seller, conversation.id);
  expect((await take(conversation.buyer, visit)).status).toBe(200);
  return { ...conversation, visit };
}

test('the business proposes times where the listing is, which both sides see and the customer is told of once', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  const shown = {
    conversationId: id,
    messageNumber: 2,
    state: 'proposed',
    timeZone: 'Pacific/Auckland',
    agreed: null,
    times: [
      { start: atTuesday, minutes: 60 },
      { start: atWednesday, minutes: 90 },
    ],
    proposedBy: 'seller',
    isOver: false,
    cancelled: null,
  };
  expect(visit).toMatchObject({ ...shown, role: 'seller' });
  expect(await list(buyer, id)).toMatchObject([{ ...shown, role: 'buyer' }]);
  expect((await as(buyer).get(`/messages/${id}`)).body.conversation.unread).toBe(1);
  expect((await textsOf(buyer, id)).at(-1)).toBe(
    'Times for a visit, New Zealand time:\n• Tue, Dec 8, 2026, 10:00 am to 11:00 am\n• Wed, Dec 9, 2026, 2:30 pm to 4:00 pm',
  );
  expect(await mailsTo(buyer)).toMatchObject([
    {
      subject: 'Kingi & Daughters proposes times for a visit',
      blocks: [
        { text: 'Kingi & Daughters proposes times for a visit about “Friendly local plumber”:' },
        { rows: [{ value: 'Tue, Dec 8, 2026, 10:00 am to 11:00 am' }, { value: 'Wed, Dec 9, 2026, 2:30 pm to 4:00 pm' }] },
        { text: 'New Zealand time. If none suits, say so with one tap.' },
        { label: 'Choose a time', url: `http://localhost:3000/messages/${id}` },
      ],
      end: expect.any(Object),
    },
  ]);
  expect((await mailsTo(buyer))[0]?.calendar).toBeUndefined();
  clock.set(new Date(start.getTime() + hourMs));
  await emailUnseenMessages(context);
  expect((await outbox.mails()).filter(({ to, subject }) => to === buyer.email && /message/i.test(subject))).toEqual([]);
  expect([await eventsOf(seller), await eventsOf(buyer)]).toEqual([1, 1]);
});

test.each([
  ['Perth, which has no daylight saving', 2101, '2026-12-08T02:00:00.000Z', 'Australia/Perth'],
  ['Adelaide, half an hour off', 2001, '2026-12-07T23:30:00.000Z', 'Australia/Adelaide'],
])('times are those of the listing in %s', async (_, district, moment, timeZone) => {
  const { seller, id } = await startConversation({ district });
  expect(await proposed(seller, id, { times: [tuesday] })).toMatchObject({ times: [{ start: moment }], timeZone });
});

test.each([
  ['no times', { times: [] }],
  ['four times', { times: ['08', '09', '10', '11'].map((day) => ({ start: `2026-12-${day}T10:00`, minutes: 60 })) }],
  ['14 minutes', { times: [{ ...tuesday, minutes: 14 }] }],
  ['more than 8 hours', { times: [{ ...tuesday, minutes: 481 }] }],
  ['half a minute', { times: [{ ...tuesday, minutes: 30.5 }] }],
  ['a time that has passed', { times: [{ start: '2026-12-01T11:59', minutes: 60 }] }],
  ['a day after the sixtieth', { times: [{ start: `${addDays(today, 61)}T00:00`, minutes: 60 }] }],
  ['a day that does not exist', { times: [{ start: '2026-12-32T10:00', minutes: 60 }] }],
  ['a moment in place of a local time', { times: [{ start: '2026-12-08T10:00:00Z', minutes: 60 }] }],
  ['times that overlap', { times: [tuesday, { start: '2026-12-08T10:59', minutes: 15 }] }],
])('refuses %s and proposes nothing', async (_, more) => {
  const { seller, id } = await startConversation();
  const { status, body } = await propose(seller, id, more);
  expect([status, body.code, body.errors?.[0]?.field.startsWith('times')]).toEqual([400, 'invalid_input', true]);
  expect([await list(seller, id), (await textsOf(seller, id)).length]).toEqual([[], 1]);
});

test('allows 15 minutes to 8 hours, to the end of the sixtieth day', async () => {
  const { seller, id } = await startConversation();
  const limits = [
    { start: '2026-12-01T13:00', minutes: 15 },
    { start: `${addDays(today, 60)}T23:59`, minutes: 480 },
  ];
  expect((await propose(seller, id, { times: limits })).status).toBe(201);
});

test('rejects visitors, the customer’s proposal, strangers and unknown ids', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  const stranger = await confirmedUser('Ana Tui');
  expect(await asVisitor.get(`/visits?conversationId=${id}`)).toMatchObject(refused(401, 'not_authenticated'));
  expect(await propose(buyer, id)).toMatchObject(refused(403, 'not_the_business'));
  expect(await propose(stranger, id)).toMatchObject(refused(404, 'conversation_not_found'));
  expect((await as(stranger).get(`/visits?conversationId=${id}`)).body.code).toBe('conversation_not_found');
  for (const change of [take, move, ask, cancel]) {
    expect(await change(stranger, visit)).toMatchObject(refused(404, 'visit_not_found'));
    expect(await change(buyer, { _id: randomUUID() })).toMatchObject(refused(404, 'visit_not_found'));
  }
  expect((await as(stranger).get(`/visits/${visit._id}.ics`)).status).toBe(404);
  expect((await list(buyer, id))[0]).toMatchObject({ state: 'proposed', revision: visit.revision });
});

test('proposes once under one client id, however often it is tried at once, and once per conversation', async () => {
  const { seller, buyer, id } = await startConversation();
  const clientId = randomUUID();
  const answers = await times(6, () => propose(seller, id, { clientId }));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body._id}`)).size).toBe(1);
  expect([(await list(buyer, id)).length, (await mailsTo(buyer)).length, (await textsOf(buyer, id)).length]).toEqual([1, 1, 2]);
  const others = await times(4, () => propose(seller, id));
  expect(others.map(({ body }) => body.code)).toEqual(others.map(() => 'visit_open'));
  expect((await list(buyer, id)).length).toBe(1);
});

test('the customer takes a time: both are told, with the visit for their own calendar', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  expect((await take(buyer, visit)).body).toMatchObject({
    state: 'agreed',
    agreed: { start: atTuesday, minutes: 60 },
    times: [],
    proposedBy: null,
  });
  expect((await textsOf(seller, id)).at(-1)).toBe('Visit agreed: Tue, Dec 8, 2026, 10:00 am to 11:00 am.');
  const [ofSeller, ofBuyer] = [(await mailsTo(seller)).at(-1), (await mailsTo(buyer)).at(-1)];
  expect([await kindsTo(seller), await kindsTo(buyer)]).toEqual([['agreed'], ['proposed', 'agreed']]);
  expect(ofSeller).toMatchObject({ subject: 'Visit agreed: Tue, Dec 8, 2026, 10:00 am to 11:00 am', calendar: { method: 'REQUEST' } });
  const file = linesOf(ofBuyer?.calendar?.content);
  expect(file).toEqual(
    expect.arrayContaining([
      'METHOD:REQUEST',
      `UID:${visit._id}`,
      'SEQUENCE:0',
      'DTSTART:20261207T210000Z',
      'DTEND:20261207T220000Z',
      'STATUS:CONFIRMED',
      'SUMMARY:Visit by Kingi & Daughters',
      'ORGANIZER;CN="Handwise":MAILTO:hello@handwise.example',
      `ATTENDEE;RSVP=FALSE;ROLE="REQ-PARTICIPANT";PARTSTAT="ACCEPTED";CN="Tama Rua":mailto:${buyer.email}`,
    ]),
  );
  expect(linesOf(ofSeller?.calendar?.content)).toEqual(expect.arrayContaining([`UID:${visit._id}`, 'SUMMARY:Visit to Tama R.']));
  // Nobody learns the other's address.
  expect([ofBuyer?.calendar?.content.includes(seller.email), ofSeller?.calendar?.content.includes(buyer.email)]).toEqual([false, false]);
  expect([await eventsOf(seller), await eventsOf(buyer)]).toEqual([2, 2]);
});

test('an email about one time asks whether it suits', async () => {
  const { seller, buyer, id } = await startConversation();
  await proposed(seller, id, { times: [tuesday] });
  expect((await mailsTo(buyer)).at(-1)).toMatchObject({
    subject: 'Kingi & Daughters proposes a time for a visit',
    blocks: [
      { text: 'Kingi & Daughters proposes a time for a visit about “Friendly local plumber”:' },
      { rows: [{ label: 'When', value: 'Tue, Dec 8, 2026, 10:00 am to 11:00 am' }] },
      { text: 'New Zealand time. If it does not suit, say so with one tap.' },
      { label: 'Answer' },
    ],
  });
});

test('emails about other times and about a move say what changes, and what stays', async () => {
  const { seller, buyer, id } = await startConversation();
  const lastTextTo = async (user: User) => {
    const block = (await mailsTo(user)).at(-1)?.blocks[0];
    return block?.kind === 'text' ? block.text : undefined;
  };
  const visit = await proposed(seller, id);
  await ask(buyer, visit);
  expect(await lastTextTo(seller)).toBe(
    'Tama R. cannot make any of the times that you proposed for a visit about “Friendly local plumber”. Could you propose others?',
  );
  await move(seller, visit, { times: [tuesday] });
  await take(buyer, visit);
  await move(seller, visit);
  expect(await lastTextTo(buyer)).toMatch(/^Kingi & Daughters would like to move the visit on Tue, .* until you agree to another time:$/);
  await take(buyer, visit, atWednesday);
  expect([await lastTextTo(seller), await lastTextTo(buyer)]).toEqual([
    'Tama R. has agreed to move the visit about “Friendly local plumber” to this time.',
    'You have agreed with Kingi & Daughters to move the visit about “Friendly local plumber” to this time.',
  ]);
});

test('what had an email of its own is not repeated in one about unseen messages', async () => {
  const { seller, buyer, id } = await startConversation();
  await as(seller).post(`/messages/${id}`, { message: 'When could we look at it?', clientId: randomUUID() });
  await proposed(seller, id);
  clock.set(new Date(start.getTime() + hourMs));
  await emailUnseenMessages(context);
  const [mail, ...others] = (await outbox.mails()).filter(({ to, subject }) => to === buyer.email && /message/i.test(subject));
  expect([mail?.subject, others]).toEqual(['A new message about "Friendly local plumber"', []]);
  expect(JSON.stringify(mail?.blocks)).not.toContain('Times for a visit');
});

test('several taps at once agree once', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  const answers = await times(6, () => take(buyer, visit));
  expect(answers.map(({ status, body }) => [status, body.state])).toEqual(answers.map(() => [200, 'agreed']));
  expect([await kindsTo(seller), (await textsOf(seller, id)).length]).toEqual([['agreed'], 3]);
});

test('taking one, taking another and cancelling at once have one outcome, and the others hear which', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  const { revision } = visit;
  const answers = await Promise.all([
    take(buyer, visit, atTuesday, { revision }),
    take(buyer, visit, atWednesday, { revision }),
    cancel(seller, visit, { revision }),
    move(seller, visit, { revision }),
  ]);
  const [done, ...others] = answers.toSorted((a, b) => a.status - b.status);
  expect(done?.status).toBe(200);
  for (const other of others)
    expect(other).toMatchObject(refused(409, 'visit_changed', /has just changed\. .+ Nothing else was changed\./));
  expect(await list(buyer, id)).toMatchObject([{ state: done?.body.state, agreed: done?.body.agreed, revision: revision + 1 }]);
});

test('only the other side takes a time, and only a proposed one', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  expect(await take(seller, visit)).toMatchObject(refused(409, 'visit_changed'));
  expect(await take(buyer, visit, '2026-12-07T21:01:00.000Z')).toMatchObject(refused(409, 'visit_changed'));
  clock.set(new Date(atTuesday));
  expect(await take(buyer, visit)).toMatchObject(refused(409, 'visit_time_gone', /has passed/));
  expect(await list(buyer, id)).toMatchObject([{ state: 'proposed', times: [{ start: atWednesday }] }]);
});

test('a proposal whose times have all begun has lapsed; another one can follow', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  clock.set(new Date(atWednesday));
  expect(await list(buyer, id)).toMatchObject([{ state: 'lapsed', times: [], proposedBy: null }]);
  expect((await take(buyer, visit, atWednesday)).status).toBe(409);
  expect(await move(seller, visit, { times: [{ start: '2026-12-20T10:00', minutes: 60 }] })).toMatchObject(
    refused(409, 'visit_changed', /have passed/),
  );
  await proposed(seller, id, { times: [{ start: '2026-12-20T10:00', minutes: 60 }] });
  expect((await list(buyer, id)).map(({ state }) => state)).toEqual(['proposed', 'lapsed']);
});

test('the customer asks for other times with a note, and the business proposes them for the same visit', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  expect(await ask(seller, visit)).toMatchObject(refused(409, 'visit_changed'));
  const { body: asked } = await ask(buyer, visit, { note: 'Mornings suit best.' });
  expect(asked).toMatchObject({ state: 'asked', times: [] });
  expect(await ask(buyer, visit)).toMatchObject({ status: 200, body: { revision: asked.revision } });
  expect((await textsOf(seller, id)).at(-1)).toBe('None of these times suits me. Could you propose others?\n\nMornings suit best.');
  expect(await mailsTo(seller)).toMatchObject([
    {
      subject: 'Tama R. asks for other times',
      blocks: [{}, { kind: 'quote', text: 'Mornings suit best.' }, { label: 'Propose other times' }],
    },
  ]);
  expect(await take(buyer, visit)).toMatchObject(refused(409, 'visit_changed', /Other times are wanted/));
  expect(await move(buyer, visit)).toMatchObject(refused(403, 'not_the_business'));
  expect((await move(seller, visit)).body).toMatchObject({ state: 'proposed', times: [{ start: atWednesday }] });
  expect((await take(buyer, visit, atWednesday)).body.state).toBe('agreed');
  expect((await list(buyer, id)).length).toBe(1);
});

test.each(['buyer', 'seller'] as const)('the %s moves an agreed visit, which stays until the other side takes a time', async (mover) => {
  const { seller, buyer, id, visit } = await agreed();
  const [from, to] = mover === 'buyer' ? [buyer, seller] : [seller, buyer];
  const clientId = randomUUID();
  const moving = await times(3, () => move(from, visit, { clientId }));
  expect(moving.map(({ status, body }) => [status, body.revision])).toEqual(moving.map(() => [200, 2]));
  expect(moving[0]?.body).toMatchObject({
    state: 'agreed',
    agreed: { start: atTuesday },
    times: [{ start: atWednesday }],
    proposedBy: mover,
  });
  expect((await kindsTo(to)).filter((kind) => kind === 'proposed')).toHaveLength(mover === 'buyer' ? 1 : 2);
  expect((await textsOf(to, id)).at(-1)).toContain('Could the visit on Tue, Dec 8, 2026, 10:00 am to 11:00 am move?');
  expect((await take(to, visit, atWednesday)).body).toMatchObject({
    agreed: { start: atWednesday, minutes: 90 },
    times: [],
    proposedBy: null,
  });
  for (const user of [buyer, seller]) {
    const { subject, calendar } = (await mailsTo(user)).at(-1) ?? {};
    expect(subject).toBe('Visit moved: Wed, Dec 9, 2026, 2:30 pm to 4:00 pm');
    expect(linesOf(calendar?.content)).toEqual(
      expect.arrayContaining(['METHOD:REQUEST', `UID:${visit._id}`, 'SEQUENCE:1', 'DTSTART:20261209T013000Z', 'DTEND:20261209T030000Z']),
    );
  }
});

test('a visit stays as agreed if the other time does not suit', async () => {
  const { seller, buyer, id, visit } = await agreed();
  await move(seller, visit);
  expect((await ask(buyer, visit)).body).toMatchObject({ state: 'agreed', agreed: { start: atTuesday }, times: [], proposedBy: null });
  expect((await textsOf(seller, id)).at(-1)).toBe(
    'None of these times suits me. The visit stays on Tue, Dec 8, 2026, 10:00 am to 11:00 am.',
  );
  expect((await mailsTo(seller)).at(-1)?.subject).toBe('The visit stays on Tue, Dec 8, 2026, 10:00 am to 11:00 am');
});

test.each(['buyer', 'seller'] as const)('the %s cancels an agreed visit: both calendars remove it', async (by) => {
  const { seller, buyer, id, visit } = await agreed();
  const from = by === 'buyer' ? buyer : seller;
  const answers = await times(3, () => cancel(from, visit, { reason: 'I am ill.' }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[0]?.body).toMatchObject({ state: 'cancelled', cancelled: { by, reason: 'I am ill.' }, agreed: { start: atTuesday } });
  expect((await textsOf(seller, id)).at(-1)).toBe('Visit on Tue, Dec 8, 2026, 10:00 am to 11:00 am cancelled.\n\nI am ill.');
  for (const user of [buyer, seller]) {
    const mails = (await mailsTo(user)).filter(({ limit }) => limit?.kind === 'visit.cancelled');
    expect(mails).toMatchObject([{ subject: 'Visit cancelled: Tue, Dec 8, 2026, 10:00 am to 11:00 am', calendar: { method: 'CANCEL' } }]);
    expect(linesOf(mails[0]?.calendar?.content)).toEqual(
      expect.arrayContaining(['METHOD:CANCEL', `UID:${visit._id}`, 'SEQUENCE:1', 'STATUS:CANCELLED', 'DTSTART:20261207T210000Z']),
    );
  }
  expect(await take(buyer, visit)).toMatchObject(refused(409, 'visit_changed', /cancelled it/));
  expect(await move(seller, visit)).toMatchObject(refused(409, 'visit_changed', /cancelled it/));
  expect((await propose(seller, id)).status).toBe(201);
});

test('cancelling what was only proposed tells the other side, and no calendar', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  expect((await cancel(seller, visit)).body).toMatchObject({ state: 'cancelled', agreed: null });
  expect((await mailsTo(buyer)).at(-1)).toMatchObject({ subject: 'No visit for now with Kingi & Daughters' });
  expect((await mailsTo(buyer)).at(-1)?.calendar).toBeUndefined();
  expect(await kindsTo(seller)).toEqual([]);
  expect((await as(buyer).get(`/visits/${visit._id}.ics`)).status).toBe(404);
});

test('nothing of a visit that has begun can be changed', async () => {
  const { seller, buyer, id, visit } = await agreed();
  await move(seller, visit);
  clock.set(new Date(atTuesday));
  expect(await list(buyer, id)).toMatchObject([{ isOver: true, times: [] }]);
  for (const answer of [
    await take(buyer, visit, atWednesday),
    await move(buyer, visit),
    await ask(buyer, visit),
    await cancel(seller, visit),
  ]) {
    expect(answer).toMatchObject(refused(409, 'visit_over', /already begun/));
  }
});

test('of two customers who take the same time of a business at once, one gets it', async () => {
  const seller = await confirmedUser('Mere Kingi');
  const [one, other] = [await startConversation({ seller }), await startConversation({ seller })];
  // 10:30 overlaps 10 to 11; 11:00 does not.
  const [first, second] = [
    await proposed(seller, one.id),
    await proposed(seller, other.id, { times: [{ start: '2026-12-08T10:30', minutes: 60 }] }),
  ];
  const half = '2026-12-07T21:30:00.000Z';
  const answers = await Promise.all([take(one.buyer, first), take(other.buyer, second, half)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)).toMatchObject(
    refused(409, 'visit_time_gone', /since agreed to another visit at this time/),
  );
  // A business that proposes it again knows what it has agreed to.
  const [loser, lost, time] =
    answers[0]?.status === 409 ? [one, first, tuesday] : [other, second, { start: '2026-12-08T10:30', minutes: 60 }];
  pass(1);
  await move(seller, lost, { times: [time] });
  expect((await take(loser.buyer, lost, answers[0]?.status === 409 ? atTuesday : half)).status).toBe(200);
});

test('visits one right after the other are both agreed', async () => {
  const seller = await confirmedUser('Mere Kingi');
  const [one, other] = [await startConversation({ seller }), await startConversation({ seller })];
  const [first, second] = [
    await proposed(seller, one.id),
    await proposed(seller, other.id, { times: [{ start: '2026-12-08T11:00', minutes: 60 }] }),
  ];
  expect((await take(one.buyer, first)).status).toBe(200);
  expect((await take(other.buyer, second, '2026-12-07T22:00:00.000Z')).status).toBe(200);
});

test('a block stops proposing, taking, moving and asking, but not cancelling, whose reason is then not shown', async () => {
  const { seller, buyer, id, visit } = await agreed();
  await move(seller, visit);
  await as(seller).post(`/messages/${id}/block`);
  for (const change of [take, move, ask]) expect((await change(buyer, visit)).body.code).toBe('blocked');
  expect((await propose(seller, id)).body.code).toBe('blocked_by_you');
  const before = (await textsOf(seller, id)).length;
  expect((await cancel(buyer, visit, { reason: 'You will be sorry.' })).body).toMatchObject({
    state: 'cancelled',
    cancelled: { reason: '' },
  });
  expect((await textsOf(seller, id)).length).toBe(before);
  const told = (await mailsTo(seller)).at(-1);
  expect(told).toMatchObject({ calendar: { method: 'CANCEL' } });
  expect(JSON.stringify(told)).not.toContain('sorry');
});

test('refuses more than sixty changes of a person in an hour', async () => {
  const { seller, buyer, visit } = await agreed();
  await db.updateTable('attempts').set({ count: 60 }).where('key', '=', `visits-by:${buyer._id}`).execute();
  expect(await cancel(buyer, visit)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect((await cancel(seller, visit)).status).toBe(200);
});

test('a failure between the message and the visit leaves neither', async () => {
  const { seller, buyer, id } = await startConversation();
  const visit = await proposed(seller, id);
  const jobs = Object.assign(Object.create(context.jobs) as typeof context.jobs, { send: () => Promise.reject(new Error('killed')) });
  await expect(takeVisit({ ...context, jobs }, buyer._id, visit._id, { start: atTuesday })).rejects.toThrow('killed');
  expect(await list(buyer, id)).toMatchObject([{ state: 'proposed', revision: visit.revision }]);
  expect((await textsOf(buyer, id)).length).toBe(2);
  expect((await take(buyer, visit)).status).toBe(200);
});

test('either side downloads an agreed visit, and a cancelled one as cancelled', async () => {
  const { seller, buyer, visit } = await agreed();
  const download = (user: User) => app.inject({ url: `/api/visits/${visit._id}.ics`, headers: { authorization: `Bearer ${user.token}` } });
  const file = await download(buyer);
  expect([file.statusCode, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    200,
    'text/calendar; charset=utf-8',
    'attachment; filename="visit.ics"',
  ]);
  expect(linesOf(file.body)).toEqual(expect.arrayContaining(['METHOD:PUBLISH', `UID:${visit._id}`, 'SUMMARY:Visit by Kingi & Daughters']));
  expect(file.body).not.toContain('ATTENDEE');
  await cancel(seller, visit);
  expect(linesOf((await download(seller)).body)).toEqual(
    expect.arrayContaining(['STATUS:CANCELLED', 'SEQUENCE:1', 'SUMMARY:Visit to Tama R.']),
  );
});

test('names and titles cannot add lines or properties to a calendar', async () => {
  const seller = await confirmedUser('Mere Kingi');
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  await db
    .updateTable('listings')
    .set({ business_title: 'A "quoted"; comma, back\\slash', service_title: 'Pipes, taps; \\n tricks' })
    .where('id', '=', listingId)
    .execute();
  const buyer = await given.confirmed(await given.user({ fullName: 'Tama "T" Rua' }));
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  const visit = await proposed(seller, body.conversationId);
  await take(buyer, visit);
  const lines = linesOf((await mailsTo(buyer)).at(-1)?.calendar?.content);
  expect(lines.find((line) => line.startsWith('SUMMARY'))).toBe('SUMMARY:Visit by A ’quoted’\\; comma\\, back\\\\slash');
  expect(lines.find((line) => line.startsWith('DESCRIPTION'))).toMatch(/^DESCRIPTION:Pipes\\, taps\\; \\\\n tricks\\nTue/);
  expect(lines.find((line) => line.startsWith('ATTENDEE'))).toContain('CN="Tama ’T’ Rua":mailto:');
  expect(lines.filter((line) => !/^[A-Z-]+[:;]/.test(line)).join('')).toBe('');
});

const remindersTo = async (user: User) => (await mailsTo(user)).filter(({ limit }) => limit?.kind === 'visit.reminder');
const evening = new Date('2026-12-07T05:00:00Z');

test('reminds both sides once, on the evening before where the listing is', async () => {
  const { seller, buyer, visit } = await agreed();
  clock.set(new Date(evening.getTime() - hourMs));
  await remindOfVisits(context);
  expect(await remindersTo(buyer)).toEqual([]);
  clock.set(evening);
  await Promise.all([remindOfVisits(context), remindOfVisits(context)]);
  await remindOfVisits(context);
  for (const user of [buyer, seller]) {
    expect(await remindersTo(user)).toMatchObject([
      { subject: 'Your visit tomorrow: Tue, Dec 8, 2026, 10:00 am to 11:00 am', onlyIf: { check: 'visit_ahead', key: `${visit._id} 0` } },
    ]);
  }
});

test('a reminder that fails keeps no other from it, and is tried again for both sides', async () => {
  const [broken, whole] = [await agreed(), await agreed()];
  clock.set(evening);
  await remindOfVisits(failingMailsTo(context, broken.seller));
  const reminded = () => Promise.all([broken.buyer, broken.seller, whole.buyer, whole.seller].map(remindersTo));
  expect(await reminded()).toMatchObject([[], [], [{}], [{}]]);
  await remindOfVisits(context);
  expect(await reminded()).toMatchObject([[{}], [{}], [{}], [{}]]);
});

test('after an outage of the workers it still reminds before the visit, and not after it has begun', async () => {
  const [late, missed] = [await agreed(), await agreed()];
  clock.set(new Date(Date.parse(atTuesday) - hourMs));
  await db.updateTable('visits').set({ remind_at: null }).where('id', '=', missed.visit._id).execute();
  await remindOfVisits(context);
  expect(await remindersTo(late.buyer)).toMatchObject([{ subject: expect.stringMatching(/^Your visit today: /) }]);
  await db.updateTable('visits').set({ remind_at: evening }).where('id', '=', missed.visit._id).execute();
  clock.set(new Date(atTuesday));
  await remindOfVisits(context);
  expect(await remindersTo(missed.buyer)).toEqual([]);
});

test('reminds of a moved visit on its own evening, not of a cancelled one, nor of one agreed that evening', async () => {
  const [moved, cancelled, late] = [await agreed(), await agreed(), await startConversation()];
  await move(moved.seller, moved.visit);
  await take(moved.buyer, moved.visit, atWednesday);
  await cancel(cancelled.buyer, cancelled.visit);
  const visit = await proposed(late.seller, late.id);
  clock.set(evening);
  await take(late.buyer, visit);
  pass(24 * 6 + 12);
  await remindOfVisits(context);
  for (const { buyer } of [moved, cancelled, late]) expect(await remindersTo(buyer)).toEqual([]);
  clock.set(new Date(evening.getTime() + 24 * hourMs));
  await remindOfVisits(context);
  expect(await remindersTo(moved.buyer)).toMatchObject([{ subject: expect.stringContaining('Wed, Dec 9') }]);
});

test('a reminder that waited is not sent once the visit has begun, moved or was cancelled', async () => {
  const { seller, buyer, visit } = await agreed();
  const { visit_ahead: isStillSent } = createMailChecks(context);
  const key = `${visit._id} 0`;
  expect(await isStillSent(key)).toBe(true);
  clock.set(new Date(atTuesday));
  expect(await isStillSent(key)).toBe(false);
  clock.set(start);
  await move(seller, visit);
  expect(await isStillSent(key)).toBe(true);
  await take(buyer, visit, atWednesday);
  expect([await isStillSent(key), await isStillSent(`${visit._id} 1`)]).toEqual([false, true]);
  await cancel(seller, visit);
  expect(await isStillSent(`${visit._id} 2`)).toBe(false);
  expect(await isStillSent(`${randomUUID()} 0`)).toBe(false);
  // While the database is away it is not known, so that the job tries again.
  await expect(isStillSent('no id 0')).rejects.toThrow('uuid');
});

async function leave(user: User) {
  const password = 'correct-horse';
  await as(user).post('/auth/confirm-identity', { password });
  expect((await as(user).delete('/auth/account', { currentPassword: password })).status).toBe(200);
}

test('closing an account cancels what is ahead, tells the other side and leaves what has taken place', async () => {
  const { seller, buyer, id, visit } = await agreed();
  const other = await startConversation({ seller });
  const open = await proposed(seller, other.id, { times: [wednesday] });
  await cancel(seller, await proposed(seller, id, { times: [wednesday] }), { reason: 'My van broke down.' });
  const before = [await eventsOf(buyer), await eventsOf(other.buyer)];
  await leave(seller);
  // Their open pages hear of it.
  expect([await eventsOf(buyer), await eventsOf(other.buyer)]).toEqual(before.map((count) => count + 1));
  expect((await list(buyer, id)).map(({ state, cancelled }) => [state, cancelled?.by, cancelled?.reason])).toEqual([
    ['cancelled', 'seller', ''],
    ['cancelled', 'seller', ''],
  ]);
  expect(await list(other.buyer, other.id)).toMatchObject([{ _id: open._id, state: 'cancelled' }]);
  const told = (await mailsTo(buyer)).at(-1);
  expect(told).toMatchObject({ subject: 'Visit cancelled: Tue, Dec 8, 2026, 10:00 am to 11:00 am', calendar: { method: 'CANCEL' } });
  expect(linesOf(told?.calendar?.content)).toContain(`UID:${visit._id}`);
  const past = await agreed();
  clock.set(new Date(atTuesday));
  await leave(past.buyer);
  expect(await list(past.seller, past.id)).toMatchObject([{ state: 'agreed', isOver: true }]);
});

test('closing an account after a visit has begun cancels those that follow', async () => {
  const { seller, buyer, id } = await agreed();
  const next = await startConversation({ seller });
  await proposed(seller, next.id, { times: [wednesday] });
  clock.set(new Date(atTuesday));
  await leave(seller);
  expect(await list(next.buyer, next.id)).toMatchObject([{ state: 'cancelled' }]);
  expect(await list(buyer, id)).toMatchObject([{ state: 'agreed', isOver: true }]);
});

const showFeed = async (user: User, more: object = {}) =>
  (await as(user).post('/visits/feed', more)).body as { url: string; createdAt: string };
const read = (url: string) => app.inject({ url: url.replace('http://localhost:3000', '') });

test('a calendar reads one’s own agreed visits at the secret address, which nobody stores or indexes', async () => {
  const { seller, buyer, visit } = await agreed();
  const foreign = await agreed();
  await agreed({ seller });
  const { url } = await showFeed(buyer);
  expect(url).toMatch(/^http:\/\/localhost:3000\/api\/visits\/feed\.ics\?token=[0-9a-f-]{36}\.[0-9a-f]{32}$/);
  const answer = await read(url);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex',
  });
  expect(answer.headers['content-disposition']).toBeUndefined();
  const lines = linesOf(answer.body);
  expect(lines).toEqual(
    expect.arrayContaining(['METHOD:PUBLISH', 'X-WR-CALNAME:Handwise visits', `UID:${visit._id}`, 'SUMMARY:Visit by Kingi & Daughters']),
  );
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
  expect(answer.body).not.toContain(foreign.visit._id);
  expect(linesOf((await read((await showFeed(seller)).url)).body).filter((line) => line.startsWith('SUMMARY'))).toEqual([
    'SUMMARY:Visit to Tama R.',
    'SUMMARY:Visit to Tama R.',
  ]);
  await cancel(buyer, visit);
  const empty = await read(url);
  expect([empty.statusCode, linesOf(empty.body).includes('BEGIN:VEVENT')]).toEqual([200, false]);
});

test('a feed that is cut short leaves out the oldest visits', async () => {
  const { seller, buyer, id, visit } = await agreed();
  const later = await proposed(seller, id, { times: [wednesday] });
  await take(buyer, later, atWednesday);
  const idsOf = async (most: number) => (await listAgreedVisits(db, buyer._id, new Date(0), most)).map((row) => row.id);
  expect([await idsOf(1), await idsOf(2)]).toEqual([[later._id], [later._id, visit._id]]);
});

test('the address of a feed is shown again, renewed and ended; the old one then reads nothing', async () => {
  const { buyer } = await agreed();
  expect((await as(buyer).get('/visits/feed')).body).toEqual({ createdAt: null });
  const first = await showFeed(buyer);
  expect(await showFeed(buyer)).toEqual(first);
  expect((await as(buyer).get('/visits/feed')).body).toEqual({ createdAt: first.createdAt });
  const second = await showFeed(buyer, { renew: true });
  expect(second.url).not.toBe(first.url);
  expect([(await read(first.url)).statusCode, (await read(second.url)).statusCode]).toEqual([404, 200]);
  expect((await as(buyer).delete('/visits/feed')).body).toEqual({ createdAt: null });
  expect((await read(second.url)).json()).toMatchObject({ code: 'visit_feed_not_found' });
});

test('refuses guessed addresses, and those of people who are suspended or gone', async () => {
  const { seller, buyer } = await agreed();
  const { url } = await showFeed(buyer);
  const id = /token=(.{36})/.exec(url)?.[1] ?? '';
  for (const token of [`${id}.${'0'.repeat(32)}`, `${randomUUID()}.${url.slice(-32)}`, `${id}.${url.slice(-31)}a`, id.padEnd(60, '.')]) {
    expect([token, (await read(`/api/visits/feed.ics?token=${token}`)).statusCode]).toEqual([token, 404]);
  }
  expect((await read('/api/visits/feed.ics?token=short')).statusCode).toBe(400);
  await db.updateTable('users').set({ suspended_at: start }).where('id', '=', buyer._id).execute();
  expect((await read(url)).statusCode).toBe(404);
  const ofSeller = await showFeed(seller);
  expect((await as(seller).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect((await read(ofSeller.url)).statusCode).toBe(404);
});

test('a visit from more than 90 days ago leaves the feed', async () => {
  const { buyer } = await agreed();
  const { url } = await showFeed(buyer);
  const countAt = async (time: number) => {
    clock.set(new Date(time));
    return linesOf((await read(url)).body).filter((line) => line === 'BEGIN:VEVENT').length;
  };
  const days = 90 * 24 * hourMs;
  // The clock of a test goes on.
  expect([await countAt(Date.parse(atTuesday) + days - hourMs), await countAt(Date.parse(atTuesday) + days + 1)]).toEqual([1, 0]);
});

test('the export says what has taken place by then, and keeps proposed times that have passed', async () => {
  const { seller, buyer, id, visit } = await agreed();
  const open = await proposed(seller, id);
  const exportAt = async (now: Date) => {
    const rows = (await getOwnVisitData(db, buyer._id, now).lists['visits']?.()) as Visit[];
    return rows.map(({ _id, state, isOver, times: kept }) => [_id, state, isOver, kept.length]);
  };
  expect(await exportAt(start)).toEqual([
    [visit._id, 'agreed', false, 0],
    [open._id, 'proposed', false, 2],
  ]);
  expect(await exportAt(new Date(Date.parse(atWednesday) + hourMs))).toEqual([
    [visit._id, 'agreed', true, 0],
    [open._id, 'lapsed', false, 2],
  ]);
});
