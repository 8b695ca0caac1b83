import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { failingMailsTo } from '@handwise/sandbox/testing/failing-mails';
import { photo } from '@handwise/sandbox/testing/photos';
import { listPlacesByName } from '../places/places.service.ts';
import { updateAnswersWithinDay } from '../search/search.jobs.ts';
import { remindOfUnanswered } from './unanswered.service.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as } = callers;
const { clock, context } = parts;

// Ten on Tuesday morning in Auckland.
const start = new Date('2027-02-22T21:00:00Z');
const hourMs = 3_600_000;
/** Moves the clock to this long after the start, and some for the time that the test itself takes, and runs the job. */
const pass = async (hours: number) => {
  clock.set(new Date(start.getTime() + hours * hourMs + 120_000));
  await remindOfUnanswered(context);
};

type User = Awaited<ReturnType<typeof given.user>>;
type Listing = Awaited<ReturnType<typeof given.listing>>;

const contact = async (buyer: User, listing: Pick<Listing, 'id' | 'seller_id'>, message = 'My tap drips.') => {
  const { status, body } = await as(buyer).post('/email/send', { sellerId: listing.seller_id, listingId: listing.id, message });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.conversationId as string;
};

async function startConversation({ confirmed = true, listing = {} } = {}) {
  clock.set(start);
  const user = confirmed ? given.member : given.user;
  const [seller, buyer] = [await user({ fullName: 'Mere Kingi' }), await user({ fullName: 'Tama Rua' })];
  const made = await given.listing({ sellerId: seller._id, ...listing });
  return { seller, buyer, listingId: made.id, id: await contact(buyer, made) };
}
const answer = (seller: User, id: string) => as(seller).post(`/messages/${id}`, { message: 'Friday?', clientId: randomUUID() });
const subjectsTo = async ({ email }: User, starts = '') =>
  (await outbox.mails()).flatMap(({ to, subject }) =>
    to === email && !subject.startsWith('Message received') && subject.startsWith(starts) ? [subject] : [],
  );
const rowOf = (id: string) => db.selectFrom('answer_reminders').selectAll().where('conversation_id', '=', id).executeTakeFirstOrThrow();

const first = 'Tama R. is waiting for your answer about "Friendly local plumber"';
const second = 'Tama R. is still waiting for your answer about "Friendly local plumber"';
const toHousehold = 'No answer yet from Kingi & Daughters';

test('reminds the business after four opening hours and after a day, and tells the household once after a day', async () => {
  const { seller, buyer, id } = await startConversation();
  await pass(3.9);
  expect(await subjectsTo(seller)).toEqual([]);
  await pass(4);
  await pass(4.1);
  expect([await subjectsTo(seller), await subjectsTo(buyer)]).toEqual([[first], []]);
  await pass(24);
  await Promise.all([remindOfUnanswered(context), remindOfUnanswered(context)]);
  await pass(200);
  expect([await subjectsTo(seller), await subjectsTo(buyer)]).toEqual([[first, second], [toHousehold]]);
  expect((await rowOf(id)).next_due_at).toBeNull();
  const mails = await outbox.mails();
  expect(mails.find((mail) => mail.subject === first)).toMatchObject({
    blocks: [
      { text: 'Tama R. wrote to you about “Friendly local plumber” on Feb 23, 2027, 10:00 am and has no answer yet:' },
      { kind: 'quote', text: 'My tap drips.' },
      {},
      { kind: 'button', url: `http://localhost:3000/messages/${id}` },
    ],
  });
});

test('sends nothing once the business has answered, also between two steps', async () => {
  const [early, between] = [await startConversation(), await startConversation()];
  await answer(early.seller, early.id);
  await pass(4);
  await answer(between.seller, between.id);
  await pass(48);
  expect([await subjectsTo(early.seller), await subjectsTo(early.buyer, 'No answer')]).toEqual([[], []]);
  expect([await subjectsTo(between.seller), await subjectsTo(between.buyer, 'No answer')]).toEqual([[first], []]);
});

test('after the site was off for two days the business gets one reminder, and after two weeks nobody gets anything', async () => {
  const off = await startConversation();
  await pass(48);
  expect([await subjectsTo(off.seller), await subjectsTo(off.buyer)]).toEqual([[second], [toHousehold]]);
  const longOff = await startConversation();
  await pass(14 * 24);
  expect([await subjectsTo(longOff.seller), await subjectsTo(longOff.buyer)]).toEqual([[], []]);
  expect((await rowOf(longOff.id)).next_due_at).toBeNull();
});

test('the opening hours of the listing count, in its time zone', async () => {
  const open = await startConversation();
  await db
    .updateTable('listings')
    .set({ hours: JSON.stringify({ wed: ['07:00', '12:00'] }) })
    .where('id', '=', open.listingId)
    .execute();
  const other = await given.member();
  const listing = { id: open.listingId, seller_id: open.seller._id };
  await contact(other, listing);
  // Eleven on Wednesday in Auckland.
  await pass(24.9);
  expect(await subjectsTo(open.seller, 'Mere K. is')).toEqual([]);
  await pass(25);
  expect(await subjectsTo(open.seller, 'Mere K. is')).toHaveLength(1);
});

test('the emails give the time of the message where the business is', async () => {
  const { seller, buyer } = await startConversation({ listing: { district: 2101 } });
  await pass(24);
  for (const user of [seller, buyer]) {
    const mail = (await outbox.mails()).findLast(({ to }) => to === user.email);
    expect(JSON.stringify(mail?.blocks)).toContain('Feb 23, 2027, 5:00 am');
  }
});

test('an address that is not confirmed gets no email, and the conversation says it all the same', async () => {
  const { seller, buyer, id } = await startConversation({ confirmed: false });
  await pass(30);
  expect([await subjectsTo(seller), await subjectsTo(buyer, 'No answer')]).toEqual([[], []]);
  expect((await as(buyer).get(`/messages/${id}/others`)).body.unanswered).toBe(true);
  expect(await rowOf(id)).toMatchObject({ first_sent_at: null, second_sent_at: null });
});

test.each<[string, (started: Awaited<ReturnType<typeof startConversation>>) => Promise<unknown>, string[], string[]]>([
  [
    'a suspended business: only the household',
    ({ seller }) => db.updateTable('users').set({ suspended_at: start }).where('id', '=', seller._id).execute(),
    [],
    [toHousehold],
  ],
  [
    'a deleted business: only the household',
    ({ seller }) => db.updateTable('users').set({ deleted_at: start }).where('id', '=', seller._id).execute(),
    [],
    ['No answer yet from Former member'],
  ],
  [
    'a hidden listing: only the household',
    ({ listingId }) => db.updateTable('listings').set({ status: 'hidden', hidden_from: 'active' }).where('id', '=', listingId).execute(),
    [],
    [toHousehold],
  ],
  [
    'an expired listing: both',
    ({ listingId }) => db.updateTable('listings').set({ status: 'expired' }).where('id', '=', listingId).execute(),
    [second],
    [toHousehold],
  ],
  ['a blocked customer: nobody', ({ seller, id }) => as(seller).post(`/messages/${id}/block`), [], []],
  ['a customer who blocked: nobody', ({ buyer, id }) => as(buyer).post(`/messages/${id}/block`), [], []],
  [
    'a suspended customer: nobody',
    ({ buyer }) => db.updateTable('users').set({ suspended_at: start }).where('id', '=', buyer._id).execute(),
    [],
    [],
  ],
  [
    'who unsubscribed: only the other',
    ({ seller }) => db.insertInto('ended_mails').values({ user_id: seller._id, kind: 'messages' }).execute(),
    [],
    [toHousehold],
  ],
])('%s', async (_, change, toSeller, toBuyer) => {
  const started = await startConversation();
  await change(started);
  await pass(30);
  expect([await subjectsTo(started.seller), await subjectsTo(started.buyer, 'No answer')]).toEqual([toSeller, toBuyer]);
});

test('a failing conversation does not stop the others and is tried again', async () => {
  const [broken, whole] = [await startConversation(), await startConversation()];
  clock.set(new Date(start.getTime() + 4.1 * hourMs));
  await remindOfUnanswered(failingMailsTo(context, broken.seller));
  expect([await subjectsTo(broken.seller), await subjectsTo(whole.seller)]).toEqual([[], [first]]);
  await pass(5);
  expect([await subjectsTo(broken.seller), await subjectsTo(whole.seller)]).toEqual([[first], [first]]);
});

/** A business that answered so many of its last messages, a month ago. */
async function business(given_: number, of: number, options: Parameters<typeof given.listing>[0] = {}) {
  const seller = await given.member();
  const listing = await given.listing({ sellerId: seller._id, category: 3, ...options });
  const old = start.getTime() - 30 * 24 * hourMs;
  for (let at = 0; at < of; at += 1) {
    const { _id: buyer_id } = await given.user();
    const created_at = new Date(old + at * 60_000);
    const answered_at = at >= of - given_ ? new Date(created_at.getTime() + hourMs) : null;
    await db
      .insertInto('conversations')
      .values({ listing_id: listing.id, buyer_id, seller_id: seller._id, created_at, answered_at })
      .execute();
  }
  return { seller, listing, id: listing.id };
}
const othersOf = async (user: User, id: string) => (await as(user).get(`/messages/${id}/others`)).body;
const offeredTo = async (user: User, id: string) => (await othersOf(user, id)).others.map((one: { listingId: string }) => one.listingId);

test('offers up to three of the right work that answer at least half of their messages, each once, and sends it with one call', async () => {
  const asked = await startConversation({ listing: { category: 3, business: 'Silent Electric' } });
  const half = await business(1, 2);
  const most = await business(19, 20);
  const more = await business(3, 3);
  const fourth = await business(10, 20);
  await business(1, 3);
  await business(0, 0);
  await business(2, 2, { category: 6 });
  // Whangārei is far away.
  await business(2, 2, { district: 102 });
  const contacted = await business(2, 2);
  await contact(asked.buyer, contacted.listing);
  const blocker = await business(2, 2);
  await db.insertInto('blocks').values({ blocker_id: blocker.seller._id, blocked_id: asked.buyer._id }).execute();

  await pass(23);
  expect(await othersOf(asked.buyer, asked.id)).toEqual({ unanswered: false, others: [], asked: 0, askedAt: null, conversations: [] });
  expect((await as(asked.buyer).post(`/messages/${asked.id}/others`, { listingId: half.id })).body.code).toBe('others_not_offered');
  await pass(25);
  const offered = await offeredTo(asked.buyer, asked.id);
  expect(offered).toEqual([more.id, most.id, fourth.id]);

  const [one = '', two = '', three = ''] = offered as string[];
  const answers = await Promise.all(
    [one, one, two].map((listingId) => as(asked.buyer).post(`/messages/${asked.id}/others`, { listingId })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
  const { body: passed } = await as(asked.buyer).get(`/messages/${answers[0]?.body.conversationId}`);
  expect(passed.messages).toMatchObject([{ text: 'My tap drips.', mine: true }]);
  expect(await othersOf(asked.buyer, asked.id)).toMatchObject({ asked: 2, others: [{}], conversations: [{}, {}] });
  expect((await as(asked.buyer).post(`/messages/${asked.id}/others`, { listingId: three })).status).toBe(200);
  expect((await as(asked.buyer).post(`/messages/${asked.id}/others`, { listingId: half.id })).body.code).toBe('others_not_offered');

  // The same text to four businesses, but by our own offer.
  const flagged = await db
    .selectFrom('conversations')
    .select('id')
    .where('buyer_id', '=', asked.buyer._id)
    .where('flagged_because', 'is not', null)
    .execute();
  expect(flagged).toEqual([]);
  // The business sees how many, not who.
  expect(await othersOf(asked.seller, asked.id)).toMatchObject({ unanswered: false, others: [], asked: 3, conversations: [] });
});

test('a business without a base is where the main town of its district is, and others are sought around that', async () => {
  const placeOf = (name: string) => {
    const [{ districtCode = 0, localityCode = null } = {}] = listPlacesByName(name, 'NZ');
    return { district: districtCode, base: localityCode };
  };
  const asked = await startConversation({ listing: { category: 3, district: placeOf('Hamilton').district } });
  const near = await business(2, 2, placeOf('Cambridge'));
  await business(2, 2, placeOf('Taumarunui'));
  await pass(25);
  expect(await offeredTo(asked.buyer, asked.id)).toEqual([near.id]);
});

test('a passed-on message brings its photo and its PDF, which the other business can save', async () => {
  clock.set(start);
  const [seller, buyer] = [await given.member(), await given.member()];
  const { id: listingId } = await given.listing({ sellerId: seller._id, category: 7 });
  const other = await business(2, 2, { category: 7 });
  const files = [
    { field: 'pictures', name: 'tap.jpg', bytes: await photo(120) },
    { field: 'pdf', name: 'plan.pdf', bytes: Buffer.from('%PDF-1.7') },
  ];
  const { body } = await as(buyer).postForm('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' }, files);
  await pass(25);
  const passed = await as(buyer).post(`/messages/${body.conversationId}/others`, { listingId: other.id });
  const [message] = (await as(other.seller).get(`/messages/${passed.body.conversationId}`)).body.messages;
  expect(message).toMatchObject({ text: 'My tap drips.', pictures: [{ width: 120 }], pdf: { name: 'plan.pdf' } });
  expect(await as(other.seller).get(message.pdf.url.replace('/api', ''))).toMatchObject({ status: 200, body: '%PDF-1.7' });
  expect((await as(other.seller).get(`/messages/${body.conversationId}/pdf/1`)).status).toBe(404);
});

test('the household of a passed-on message is not told again, but its business is reminded', async () => {
  const asked = await startConversation({ listing: { category: 4 } });
  const other = await business(2, 2, { category: 4 });
  await pass(25);
  await as(asked.buyer).post(`/messages/${asked.id}/others`, { listingId: other.id });
  await pass(25 + 72);
  expect(await subjectsTo(asked.buyer, 'No answer')).toEqual([toHousehold]);
  expect(await subjectsTo(other.seller, 'Tama R. is still')).toHaveLength(1);
});

test('a business that answers after others were asked is told once, and one that answers before is not', async () => {
  const asked = await startConversation({ listing: { category: 5 } });
  const other = await business(2, 2, { category: 5 });
  await pass(25);
  await as(asked.buyer).post(`/messages/${asked.id}/others`, { listingId: other.id });
  await pass(26);
  expect(await subjectsTo(asked.seller, 'Tama R. has asked')).toEqual([]);
  await answer(asked.seller, asked.id);
  await pass(27);
  await pass(28);
  expect(await subjectsTo(asked.seller, 'Tama R. has asked')).toEqual(['Tama R. has asked others about "Friendly local plumber" as well']);
  expect((await othersOf(asked.buyer, asked.id)).unanswered).toBe(false);
});

test('a business is told of the others up to 90 days after they were asked', async () => {
  await business(2, 2, { category: 10 });
  const begin = async () => {
    const asked = await startConversation({ listing: { category: 10 } });
    await pass(25);
    const [listingId] = await offeredTo(asked.buyer, asked.id);
    await as(asked.buyer).post(`/messages/${asked.id}/others`, { listingId });
    return asked;
  };
  const [soon, late] = [await begin(), await begin()];
  /** Answers so many days after the others were asked, and runs the job. */
  const answerAfter = async ({ seller, id }: typeof soon, days: number) => {
    await pass(25 + days * 24);
    // Their session has ended.
    const { body } = await callers.asVisitor.post('/auth/login', { email: seller.email, password: 'correct-horse' });
    expect((await answer(body.data, id)).status).toBe(200);
    await remindOfUnanswered(context);
    return subjectsTo(seller, 'Tama R. has asked');
  };
  expect(await answerAfter(soon, 89)).toHaveLength(1);
  expect(await answerAfter(late, 91)).toEqual([]);
});

test('nobody but the two sides sees or sends anything', async () => {
  const { buyer, seller, id } = await startConversation({ listing: { category: 9 } });
  const other = await business(2, 2, { category: 9 });
  await pass(25);
  const stranger = await given.member();
  for (const user of [stranger, seller]) {
    expect((await as(user).post(`/messages/${id}/others`, { listingId: other.id })).body.code).toBe('conversation_not_found');
  }
  expect((await as(stranger).get(`/messages/${id}/others`)).status).toBe(404);
  expect(await offeredTo(buyer, id)).toEqual([other.id]);
});

test('a request for quotes to several businesses is served by one answer, told once, and passed on as a request', async () => {
  clock.set(start);
  const buyer = await given.member({ fullName: 'Tama Rua' });
  const made = await Promise.all([8, 8, 8].map((category) => business(0, 0, { category })));
  const other = await business(2, 2, { category: 8 });
  const request = async (clientId: string, listingId: string) => {
    const job = { job: 'Paint the hall', category: 'Painting', place: 'Taupō, Waikato', when: 'asap', clientId, listingId };
    const { status, body } = await as(buyer).post('/quote-requests', job);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.conversationId as string;
  };
  const [one, two, three] = made;
  const clientId = randomUUID();
  const [first_, second_] = [await request(clientId, one?.id ?? ''), await request(clientId, two?.id ?? '')];
  await pass(25);
  expect(await subjectsTo(buyer, 'No answer')).toHaveLength(1);
  const told = await Promise.all([first_, second_].map(async (id) => (await othersOf(buyer, id)).unanswered as boolean));
  expect(told.filter(Boolean)).toHaveLength(1);
  const open = told[0] ? first_ : second_;
  const { body } = await as(buyer).post(`/messages/${open}/others`, { listingId: other.id });
  expect((await as(other.seller).get(`/messages/${body.conversationId}`)).body.quoteRequest).toMatchObject({ job: 'Paint the hall' });
  expect((await as(buyer).get('/quote-requests')).body.quoteRequests[0].receivers).toHaveLength(3);

  clock.set(start);
  const served = randomUUID();
  const silent = await request(served, three?.id ?? '');
  const fourth = await business(2, 2, { category: 8 });
  await answer(fourth.seller, await request(served, fourth.id));
  await pass(25);
  expect((await othersOf(buyer, silent)).unanswered).toBe(false);
});

test('five unanswered in a row: the business is told once until it answers, and no longer says how fast it is', async () => {
  const busy = await business(5, 5, { category: 2 });
  clock.set(start);
  await updateAnswersWithinDay(context);
  const shown = async () =>
    db
      .selectFrom('listings')
      .select(['answers_within_day', 'answer_minutes', 'answers_given', 'answers_of'])
      .where('id', '=', busy.id)
      .executeTakeFirstOrThrow();
  expect(await shown()).toEqual({ answers_within_day: true, answer_minutes: 60, answers_given: 5, answers_of: 5 });
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    clock.set(new Date(start.getTime() + at * hourMs));
    ids.push(await contact(await given.member({ fullName: 'Tama Rua' }), busy.listing, `Job ${at}`));
  }
  const streaks = () => subjectsTo(busy.seller, 'Five customers');
  await pass(27.5);
  expect([await streaks(), (await shown()).answers_within_day]).toEqual([[], true]);
  await pass(28);
  expect(await streaks()).toEqual(['Five customers in a row have no answer from you']);
  expect(await shown()).toEqual({ answers_within_day: false, answer_minutes: null, answers_given: 5, answers_of: 10 });
  await contact(await given.member(), busy.listing, 'A sixth job');
  await pass(28 + 60);
  expect(await streaks()).toHaveLength(1);
  await answer(busy.seller, ids[4] ?? '');
  await updateAnswersWithinDay(context);
  expect(await shown()).toMatchObject({ answers_given: 6, answers_of: 11 });
});
