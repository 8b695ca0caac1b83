import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo } from '@handwise/sandbox/testing/photos';
import { times } from '@handwise/sandbox/testing/times';
import { emailUnseenMessages } from './messages.notify.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor, from } = callers;

type User = Awaited<ReturnType<typeof given.user>>;
type Business = { seller: User; listingId: string };

const confirmedUser = async (fullName: string) => given.confirmed(await given.user({ fullName }));
const household = () => confirmedUser('Tama Rua');
async function business(listing: object = {}): Promise<Business> {
  const seller = await confirmedUser('Mere Kingi');
  const { id } = await given.listing({ sellerId: seller._id, ...listing });
  return { seller, listingId: id };
}
const businesses = (count: number) => Promise.all(Array.from({ length: count }, () => business()));

const theJob = {
  job: 'A pipe under the sink leaks.',
  category: 'Plumbing',
  subCategory: 'Pipe repairs',
  place: 'hamilton, waikato',
  when: 'two_weeks',
};
const requestQuote = (user: User, { listingId }: { listingId: string }, clientId: string, more: object = {}) =>
  as(user).post('/quote-requests', { ...theJob, listingId, clientId, ...more });
const own = async (user: User, query = '') => (await as(user).get(`/quote-requests${query}`)).body;
const read = async (user: User, id: string) => (await as(user).get(`/messages/${id}`)).body;
const inboxOf = async (user: User) => (await as(user).get('/messages')).body;
const close = (user: User, id: string) => as(user).post(`/quote-requests/${id}/close`);
const messagesIn = async (user: User, id: string): Promise<{ number: number; text: string; pictures: { src: string }[] }[]> =>
  (await read(user, id)).messages;
const pictures = async (count: number) => {
  const bytes = await photo(120);
  return Array.from({ length: count }, (_, at) => ({ field: 'pictures', name: `${at}.jpg`, bytes }));
};
const broken = { field: 'pictures', name: 'tap.jpg', bytes: Buffer.from('no picture') };
const storedFiles = async () => (await db.selectFrom('files').select('state').execute()).map(({ state }) => state);

test('each of three businesses gets the job in its own conversation, with trade, place and time', async () => {
  const [user, receivers, clientId] = [await household(), await businesses(3), randomUUID()];
  for (const one of receivers) expect((await requestQuote(user, one, clientId)).status).toBe(200);
  for (const { seller, listingId } of receivers) {
    const { conversations } = await inboxOf(seller);
    expect(conversations).toMatchObject([{ listing: { _id: listingId }, role: 'seller', with: { name: 'Tama R.' }, unread: 1 }]);
    expect(await read(seller, conversations[0]._id)).toMatchObject({
      quoteRequest: {
        job: theJob.job,
        category: 'Plumbing',
        subCategory: 'Pipe repairs',
        place: 'Hamilton, Waikato',
        when: 'two_weeks',
        date: null,
        closedAt: null,
      },
      messages: [{ number: 1, mine: false, text: theJob.job, pictures: [] }],
    });
  }
  expect((await own(user)).totalQuoteRequests).toBe(1);
  expect(await db.selectFrom('payments').select('id').execute()).toEqual([]);
});

test('lists a customer’s requests in pages, newest first, with receivers and answers', async () => {
  const { clock } = parts;
  const start = new Date('2027-03-01T00:00:00Z');
  clock.set(start);
  const [user, [first, second]] = [await household(), await businesses(2)];
  if (!first || !second) throw new Error('no businesses');
  const clientId = randomUUID();
  const { body: one } = await requestQuote(user, first, clientId);
  const { body: two } = await requestQuote(user, second, clientId);
  clock.set(new Date(start.getTime() + 3_600_000));
  await as(second.seller).post(`/messages/${two.conversationId}`, { message: 'I can come on Friday.', clientId: randomUUID() });
  clock.set(new Date(start.getTime() + 7_200_000));
  await as(second.seller).post(`/messages/${two.conversationId}`, { message: 'Or on Monday.', clientId: randomUUID() });
  await as(user).post(`/messages/${one.conversationId}`, { message: 'Are you there?', clientId: randomUUID() });
  const { body: later } = await requestQuote(user, first, randomUUID(), {
    job: 'And a tap.',
    subCategory: '',
    when: 'date',
    date: '2027-03-20',
  });
  expect(one.requestId).toBe(two.requestId);
  expect(await own(user)).toMatchObject({
    quoteRequests: [
      {
        _id: later.requestId,
        job: 'And a tap.',
        subCategory: null,
        when: 'date',
        date: '2027-03-20',
        receivers: [{ conversationId: one.conversationId, answeredAt: null }],
      },
      {
        _id: one.requestId,
        job: theJob.job,
        createdAt: expect.stringMatching(/^2027-03-01T00:00:/),
        closedAt: null,
        pictures: [],
        receivers: [
          {
            conversationId: one.conversationId,
            business: 'Kingi & Daughters',
            listing: { _id: first.listingId, serviceTitle: 'Friendly local plumber', status: 'active' },
            answeredAt: null,
            unread: 0,
          },
          { conversationId: two.conversationId, answeredAt: expect.stringMatching(/^2027-03-01T01:00:/), unread: 2 },
        ],
      },
    ],
    currentPage: 1,
    totalPages: 1,
    totalQuoteRequests: 2,
  });
  expect(await own(user, '?limit=1&page=2')).toMatchObject({
    quoteRequests: [{ _id: one.requestId }],
    currentPage: 2,
    totalPages: 2,
    totalQuoteRequests: 2,
  });
  expect(await own(await household())).toMatchObject({ quoteRequests: [], totalQuoteRequests: 0 });
  // A message from before the request does not count as an answer.
  const { seller } = second;
  const { body: third } = await requestQuote(user, second, randomUUID(), { job: 'A third thing.' });
  expect((await own(user)).quoteRequests[0].receivers).toMatchObject([{ conversationId: third.conversationId, answeredAt: null }]);
  expect((await read(seller, third.conversationId)).quoteRequest.job).toBe('A third thing.');
  clock.set(new Date());
});

test('fifty concurrent submissions create one request and get the same conversation', async () => {
  const [user, one, clientId] = [await household(), await business(), randomUUID()];
  const answers = await times(50, () => requestQuote(user, one, clientId));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => `${body.requestId} ${body.conversationId}`)).size).toBe(1);
  const id = answers[0]?.body.conversationId;
  expect(await messagesIn(one.seller, id)).toHaveLength(1);
  expect((await own(user)).totalQuoteRequests).toBe(1);
  // Repeated submissions do not count towards the limits.
  expect((await as(user).post('/email/send', { sellerId: one.seller._id, listingId: one.listingId, message: 'Hello' })).status).toBe(200);
  expect((await requestQuote(user, await business(), clientId)).status).toBe(200);
});

test('two tabs sending one request to the same three businesses send one message each', async () => {
  const [user, receivers, clientId] = [await household(), await businesses(3), randomUUID()];
  const tabs = [receivers, receivers.toReversed()].map(async (order) => {
    const statuses: number[] = [];
    for (const one of order) statuses.push((await requestQuote(user, one, clientId)).status);
    return statuses;
  });
  expect((await Promise.all(tabs)).flat()).toEqual([200, 200, 200, 200, 200, 200]);
  for (const { seller } of receivers) {
    const { conversations } = await inboxOf(seller);
    expect(await messagesIn(seller, conversations[0]._id)).toHaveLength(1);
  }
  expect((await own(user)).quoteRequests).toMatchObject([{ receivers: [{}, {}, {}] }]);
});

test('a request reaches at most three businesses, even when sent concurrently', async () => {
  const [user, receivers, clientId] = [await household(), await businesses(6), randomUUID()];
  const answers = await Promise.all(receivers.map((one) => requestQuote(user, one, clientId)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({
    status: 409,
    body: { code: 'quote_request_full', message: 'A quote request goes to 3 businesses at most.' },
  });
  expect((await own(user)).quoteRequests[0].receivers).toHaveLength(3);
  expect((await inboxOf(user)).totalConversations).toBe(3);
});

test('a failure for one business writes nothing there and leaves the others unaffected', async () => {
  const [user, fine, deaf, clientId] = [await household(), await business(), await business(), randomUUID()];
  await db.deleteFrom('files').execute();
  const { body: earlier } = await as(user).post('/email/send', { sellerId: deaf.seller._id, listingId: deaf.listingId, message: 'Hello' });
  await as(deaf.seller).post(`/messages/${earlier.conversationId}/block`);
  const photos = await pictures(1);
  const send = (one: Business) => as(user).postForm('/quote-requests', { ...theJob, listingId: one.listingId, clientId }, photos);
  // Rejected before the pictures are processed.
  const form = { ...theJob, listingId: deaf.listingId, clientId };
  expect(await as(user).postForm('/quote-requests', form, [broken])).toMatchObject({ status: 403, body: { code: 'blocked' } });
  expect(await send(deaf)).toMatchObject({ status: 403, body: { code: 'blocked' } });
  expect([(await own(user)).totalQuoteRequests, await storedFiles()]).toEqual([0, []]);
  expect((await send(fine)).status).toBe(200);
  expect(await send(deaf)).toMatchObject({ status: 403, body: { code: 'blocked' } });
  expect((await own(user)).quoteRequests).toMatchObject([{ receivers: [{ listing: { _id: fine.listingId } }] }]);
  await as(deaf.seller).delete(`/messages/${earlier.conversationId}/block`);
  expect((await send(deaf)).body.conversationId).toBe(earlier.conversationId);
  expect((await messagesIn(deaf.seller, earlier.conversationId)).map(({ number, text }) => [number, text])).toEqual([
    [2, theJob.job],
    [1, 'Hello'],
  ]);
  expect(await storedFiles()).toEqual(['attached']);
});

test('stores pictures once for all messages, even when every submission uploads them', async () => {
  const [user, receivers, clientId] = [await household(), await businesses(2), randomUUID()];
  await db.deleteFrom('files').execute();
  const photos = await pictures(2);
  const send = ({ listingId }: Business) => as(user).postForm('/quote-requests', { ...theJob, listingId, clientId }, photos);
  const answers = await times(4, (at) => send(receivers[at % 2] as Business));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await storedFiles()).toEqual(['attached', 'attached']);
  const [first, second] = await Promise.all(
    receivers.map(async ({ seller }) => {
      const [conversation] = (await inboxOf(seller)).conversations;
      expect(conversation.lastMessage.pictures).toBe(2);
      return (await messagesIn(seller, conversation._id))[0]?.pictures;
    }),
  );
  expect(first).toEqual(second);
  expect(first).toMatchObject([{ alt: 'Picture 1 of this message' }, { alt: 'Picture 2 of this message' }]);
  expect((await own(user)).quoteRequests[0].pictures).toEqual(first);
  // A third business gets the pictures of the first submission, whatever is uploaded later.
  const third = await business();
  const again = { ...theJob, listingId: third.listingId };
  expect((await as(user).postForm('/quote-requests', { ...again, clientId }, [broken])).status).toBe(200);
  expect(await storedFiles()).toEqual(['attached', 'attached']);
  expect(
    (await as(user).postForm('/quote-requests', { ...theJob, listingId: third.listingId, clientId: randomUUID() }, await pictures(11))).body
      .code,
  ).toBe('too_many_files');
});

test('a place that both countries have is the one in the country of the business', async () => {
  for (const [district, place] of [
    [901, 'Newtown, Wellington'],
    [1701, 'Newtown, New South Wales'],
  ] as const) {
    const one = await business({ district });
    const { body } = await requestQuote(await household(), one, randomUUID(), { place: 'newtown' });
    expect(await read(one.seller, body.conversationId)).toMatchObject({ quoteRequest: { place } });
  }
});

test('every receiver gets the content of the first submission', async () => {
  const [user, [first, second], clientId] = [await household(), await businesses(2), randomUUID()];
  if (!first || !second) throw new Error('no businesses');
  await requestQuote(user, first, clientId);
  const { body } = await requestQuote(user, second, clientId, {
    job: 'Something else',
    place: 'Perth',
    category: 'Roofing',
    subCategory: '',
  });
  expect(await read(second.seller, body.conversationId)).toMatchObject({
    quoteRequest: { job: theJob.job, category: 'Plumbing', place: 'Hamilton, Waikato' },
    messages: [{ text: theJob.job }],
  });
});

test.each(['inactive', 'expired'] as const)(
  'a listing that is %s is refused by its name, also where there is a conversation',
  async (status) => {
    const [user, one] = [await household(), await business({ title: 'Taps & Pipes' })];
    await as(user).post('/email/send', { sellerId: one.seller._id, listingId: one.listingId, message: 'Hello' });
    await db.updateTable('listings').set({ status }).where('id', '=', one.listingId).execute();
    expect(await requestQuote(user, one, randomUUID())).toMatchObject({
      status: 409,
      body: { code: 'listing_not_active', message: '“Taps & Pipes” is paused or has ended. Choose another one.' },
    });
    expect((await own(user)).totalQuoteRequests).toBe(0);
    expect((await requestQuote(user, { listingId: randomUUID() }, randomUUID())).body.code).toBe('listing_not_found');
  },
);

test('rejects a quote request to the requester’s own business', async () => {
  const { seller, listingId } = await business();
  expect(await requestQuote(seller, { listingId }, randomUUID())).toMatchObject({ status: 403, body: { code: 'own_listing_message' } });
  expect((await own(seller)).totalQuoteRequests).toBe(0);
});

test('rejects visitors, and hides requests of other users', async () => {
  const [user, one] = [await household(), await business()];
  const { body } = await requestQuote(user, one, randomUUID());
  for (const answer of [
    await asVisitor.post('/quote-requests', { ...theJob, listingId: one.listingId, clientId: randomUUID() }),
    await asVisitor.get('/quote-requests'),
    await asVisitor.post(`/quote-requests/${body.requestId}/close`),
  ]) {
    expect(answer.status).toBe(401);
  }
  // A receiving business cannot close it either.
  for (const other of [one.seller, await household()]) {
    expect(await close(other, body.requestId)).toMatchObject({ status: 404, body: { code: 'quote_request_not_found' } });
    expect((await own(other)).totalQuoteRequests).toBe(0);
  }
  expect((await read(one.seller, body.conversationId)).quoteRequest.closedAt).toBeNull();
  // Another user's client id creates a separate request.
  const other = await household();
  const clientId = randomUUID();
  await requestQuote(user, await business(), clientId);
  expect((await requestQuote(other, one, clientId)).body.requestId).not.toBe((await own(user)).quoteRequests[0]._id);
});

test('a closed request reaches no further business and shows as closed to its receivers', async () => {
  const [user, one, clientId] = [await household(), await business(), randomUUID()];
  const { body } = await requestQuote(user, one, clientId);
  const { clock } = parts;
  const closed = await close(user, body.requestId);
  expect(closed).toMatchObject({ status: 200, body: { closedAt: expect.any(String) } });
  clock.set(new Date(clock.now().getTime() + 60_000));
  expect((await close(user, body.requestId)).body).toEqual(closed.body);
  clock.set(new Date());
  expect((await read(one.seller, body.conversationId)).quoteRequest.closedAt).toBe(closed.body.closedAt);
  expect((await own(user)).quoteRequests).toMatchObject([{ closedAt: closed.body.closedAt }]);
  expect(await requestQuote(user, await business(), clientId)).toMatchObject({ status: 409, body: { code: 'quote_request_closed' } });
  expect((await requestQuote(user, one, clientId)).body).toEqual(body);
  expect((await as(one.seller).post(`/messages/${body.conversationId}`, { message: 'Another time.', clientId: randomUUID() })).status).toBe(
    200,
  );
});

test('allows five requests a day, also concurrently, and five more the next day', async () => {
  const [user, receivers] = [await household(), await businesses(8)];
  const answers = await Promise.all(receivers.map((one) => requestQuote(user, one, randomUUID())));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({
    status: 429,
    body: {
      code: 'too_many_quote_requests',
      message: 'You can ask for quotes 5 times a day. Message a business from its listing, or ask again tomorrow.',
    },
  });
  expect((await own(user)).totalQuoteRequests).toBe(5);
  // Each customer has their own limit.
  expect((await requestQuote(await household(), receivers[0] as Business, randomUUID())).status).toBe(200);
  const madeAgo = (ms: number) =>
    db
      .updateTable('quote_requests')
      .set({ created_at: new Date(Date.now() - ms) })
      .where('user_id', '=', user._id)
      .execute();
  await madeAgo(86_340_000);
  await db.deleteFrom('files').execute();
  const form = { ...theJob, listingId: receivers[0]?.listingId ?? '', clientId: randomUUID() };
  expect((await as(user).postForm('/quote-requests', form, await pictures(1))).status).toBe(429);
  expect(await storedFiles()).toEqual([]);
  await madeAgo(86_460_000);
  expect((await requestQuote(user, receivers[0] as Business, randomUUID())).status).toBe(200);
});

test('quote requests count towards the limits of new conversations: 20 a day, 5 with an unconfirmed address', async () => {
  const [user, one, known] = [await household(), await business(), await business()];
  await as(user).post('/email/send', { sellerId: known.seller._id, listingId: known.listingId, message: 'Hello' });
  await db.deleteFrom('attempts').execute();
  await db
    .insertInto('attempts')
    .values({ key: `conversations-by:${user._id}`, count: 20, window_ends_at: new Date(Date.now() + 3_600_000) })
    .execute();
  const refused = await requestQuote(user, one, randomUUID());
  expect([refused.status, refused.body.code, (await own(user)).totalQuoteRequests]).toEqual([429, 'too_many_requests', 0]);
  // An existing conversation is reused.
  expect((await requestQuote(user, known, randomUUID())).body.code).toBeUndefined();
  await db.deleteFrom('attempts').execute();
  await db
    .insertInto('attempts')
    .values({ key: `messages-by:${user._id}`, count: 30, window_ends_at: new Date(Date.now() + 3_600_000) })
    .execute();
  expect((await requestQuote(user, one, randomUUID())).body.code).toBe('too_many_requests');
  await db.deleteFrom('attempts').execute();

  const unconfirmed = await given.user();
  const receivers = await businesses(6);
  const answers: unknown[] = [];
  for (const [at, to] of receivers.entries()) {
    if (at < 3) await as(unconfirmed).post('/email/send', { sellerId: to.seller._id, listingId: to.listingId, message: 'Hello' });
    else answers.push((await requestQuote(unconfirmed, to, '0190f2c4-0000-7000-8000-000000000001')).body.code ?? 'sent');
  }
  expect(answers).toEqual(['sent', 'sent', 'address_not_confirmed']);
  expect((await own(unconfirmed)).quoteRequests).toMatchObject([{ receivers: [{}, {}] }]);
});

test('limits attempts to 100 in ten minutes, including rejected ones', async () => {
  const [{ seller, listingId }] = [await business()];
  const network = from('198.51.100.7', { authorization: `Bearer ${seller.token}` });
  const tries = await times(101, () => network.post('/quote-requests', { ...theJob, listingId, clientId: randomUUID() }));
  expect(tries.filter(({ status }) => status === 403)).toHaveLength(100);
  expect(tries.filter(({ body }) => body.code === 'too_many_requests')).toHaveLength(1);
});

test.each([
  ['job', '', 'Describe the job'],
  ['job', 'x'.repeat(2_001), 'Use at most 2000 characters'],
  ['category', '', 'Choose what kind of job it is'],
  ['category', 'domestic', 'Choose what kind of job it is'],
  ['subCategory', 'Roofing', 'There is no such kind of job in Plumbing'],
  ['place', '', 'Say where the job is'],
  ['place', 'Nowhereville', 'We don’t know that place. Choose a suburb, a town or a region'],
  ['place', 'New Zealand', 'We don’t know that place. Choose a suburb, a town or a region'],
  ['when', 'soon', 'Say when you would like it done'],
])('rejects a request whose %s is “%s” with an error for the field', async (field, value, message) => {
  const [user, one] = [await household(), await business()];
  expect(await requestQuote(user, one, randomUUID(), { [field]: value })).toMatchObject({
    status: 400,
    body: { errors: [{ field, message }] },
  });
  expect((await own(user)).totalQuoteRequests).toBe(0);
});

test('accepts a day from today, in the time zone of the place, to a year ahead', async () => {
  const { clock } = parts;
  // It is already the 2nd in Hamilton and still the 1st in Perth.
  clock.set(new Date('2027-03-01T12:30:00Z'));
  const one = await business();
  const on = async (date: string, place = 'Hamilton, Waikato') => {
    const { body } = await requestQuote(await household(), one, randomUUID(), { place, when: 'date', date });
    return body.errors?.[0] ?? 'sent';
  };
  expect(await on('')).toEqual({ field: 'date', message: 'Choose the day' });
  expect(await on('2027-03-01')).toEqual({ field: 'date', message: 'This day has passed. Choose a later one' });
  expect(await on('2027-03-01', 'Perth')).toBe('sent');
  expect(await on('2027-03-02')).toBe('sent');
  expect(await on('2028-03-01')).toBe('sent');
  expect(await on('2028-03-02')).toEqual({ field: 'date', message: 'Choose a day within a year' });
  expect(await on('2027-02-30')).toEqual({ field: 'date', message: 'Use a date, as in 2027-01-31' });
  // The day is ignored with another choice of time.
  const user = await household();
  await requestQuote(user, one, randomUUID(), { when: 'asap', date: '2027-03-09' });
  expect((await own(user)).quoteRequests).toMatchObject([{ when: 'asap', date: null }]);
  clock.set(new Date());
});

test('emails a request at once in a new conversation, and with the next email in an existing one', async () => {
  const { clock } = parts;
  clock.set(new Date('2027-06-01T00:00:00Z'));
  const [user, one] = [await household(), await business()];
  const { body } = await requestQuote(user, one, randomUUID(), { when: 'date', date: '2027-12-03' });
  const mailsTo = async (to: string) => (await outbox.mails()).filter((mail) => mail.to === to && mail.limit?.kind.startsWith('message.'));
  const facts = (when: string) => ({
    kind: 'facts',
    rows: [
      { label: 'Job', value: 'Plumbing: Pipe repairs' },
      { label: 'Where', value: 'Hamilton, Waikato' },
      { label: 'When', value: when },
    ],
  });
  expect(await mailsTo(one.seller.email)).toMatchObject([
    {
      replyTo: user.email,
      subject: 'Quote request for "Friendly local plumber"',
      preview: 'Somebody is asking you for a quote.',
      blocks: [
        { kind: 'text', text: 'Tama R. is asking you for a quote. They found you through “Friendly local plumber”:' },
        facts('On Dec 3, 2027'),
        { kind: 'quote', text: theJob.job },
        { kind: 'button', url: `http://localhost:3000/messages/${body.conversationId}` },
        {},
      ],
    },
  ]);
  await requestQuote(user, one, randomUUID(), { job: 'And the tap.', when: 'flexible', subCategory: '' });
  clock.set(new Date('2027-06-01T02:00:00Z'));
  await emailUnseenMessages(parts.context);
  clock.set(new Date());
  const [, second] = await mailsTo(one.seller.email);
  expect(second?.blocks).toMatchObject([
    { kind: 'text', text: 'Tama R. wrote to you about “Friendly local plumber”:' },
    { kind: 'facts', rows: [{ value: 'Plumbing' }, {}, { label: 'When', value: 'Any time' }] },
    { kind: 'quote', text: 'And the tap.' },
    {},
    {},
  ]);
});

test('publishes a live event to both sides when a request is sent and when it is closed', async () => {
  const [user, one] = [await household(), await business()];
  const { body } = await requestQuote(user, one, randomUUID());
  const notifiedUsers = async () =>
    (await db.selectFrom('user_events').select(['user_id', 'data']).where('kind', '=', 'quote').execute())
      .filter(({ data }) => (data as { conversationId: string }).conversationId === body.conversationId)
      .map(({ user_id }) => user_id)
      .toSorted();
  expect(await notifiedUsers()).toEqual([user._id, one.seller._id].toSorted());
  await close(user, body.requestId);
  expect(await notifiedUsers()).toEqual([user._id, user._id, one.seller._id, one.seller._id].toSorted());
});

test('both sides’ conversation lists show the state of the newest quote request', async () => {
  const [user, receivers, other] = [await household(), await business(), await business()];
  const standing = async (user: User) =>
    (await inboxOf(user)).conversations.map((one: { quoteRequest: string | null }) => one.quoteRequest);
  await as(user).post('/email/send', { sellerId: other.seller._id, listingId: other.listingId, message: 'Hello' });
  const { body } = await requestQuote(user, receivers, randomUUID());
  expect(await standing(user)).toEqual(['open', null]);
  expect(await standing(receivers.seller)).toEqual(['open']);
  expect((await read(receivers.seller, body.conversationId)).conversation.quoteRequest).toBe('open');
  await close(user, body.requestId);
  expect([await standing(user), await standing(receivers.seller)]).toEqual([['closed', null], ['closed']]);
  const { body: newer } = await requestQuote(user, receivers, randomUUID(), { job: 'Another job.' });
  expect(await standing(receivers.seller)).toEqual(['open']);
  // Closing an older request changes nothing.
  await close(user, body.requestId);
  expect(await standing(user)).toEqual(['open', null]);
  await close(user, newer.requestId);
  expect(await standing(user)).toEqual(['closed', null]);
});

test('flags the same text to more than three businesses in a day, in messages and requests alike', async () => {
  const [user, receivers] = [await household(), await businesses(4)];
  const flagged = async () =>
    (await db.selectFrom('conversations').select('id').where('buyer_id', '=', user._id).where('flagged_because', 'is not', null).execute())
      .length;
  const clientId = randomUUID();
  for (const one of receivers.slice(0, 3)) await requestQuote(user, one, clientId);
  expect(await flagged()).toBe(0);
  await requestQuote(user, receivers[3] as Business, randomUUID());
  expect(await flagged()).toBe(4);
});

test('account deletion deletes quote requests and keeps their messages for the other side', async () => {
  const [user, one] = [await household(), await business()];
  const { body } = await requestQuote(user, one, randomUUID());
  expect((await as(user).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect(await db.selectFrom('quote_requests').select('id').where('user_id', '=', user._id).execute()).toEqual([]);
  expect(await read(one.seller, body.conversationId)).toMatchObject({ quoteRequest: null, messages: [{ text: theJob.job }] });
});
