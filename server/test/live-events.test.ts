import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { times } from '@handwise/sandbox/testing/times';
import { appendEvents, isOnline, lockReceivers } from '../src/kit/events/live-events.ts';

const { app, db, given, callers, outbox, parts } = await testApp();
const { as } = callers;
const { clock } = parts;
const origin = await app.listen({ port: 0, host: '127.0.0.1' });

// The users whose sessions changed. Without the message, a stream would notice at a heartbeat, a minute later.
const changedSessions: string[] = [];
parts.context.events.on('sessions', (ids) => void changedSessions.push(...(ids === 'many' ? ['many'] : ids)));

type User = Awaited<ReturnType<typeof given.user>>;

const open = (user: { token: string }, lastEventId?: number) => openEventStream(origin, user.token, lastEventId);
const appendUnread = (user: User, conversations: number) =>
  db.transaction().execute((tx) => appendEvents(tx, [{ userId: user._id, kind: 'unread', data: { conversations } }]));
const listReceived = (stream: Awaited<ReturnType<typeof open>>) =>
  stream.events.map(({ id, event, data }) => [id, event, data.conversations]);

async function startConversation() {
  const [seller, buyer] = [await given.user(), await given.user()];
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'Hello' });
  const id = body.conversationId as string;
  const sendMessage = (user: User, message: string) => as(user).post(`/messages/${id}`, { message, clientId: randomUUID() });
  return { seller, buyer, id, sendMessage };
}

test('a stream starts with the unread count and publishes messages, seen marks and blocks to both sides', async () => {
  const { seller, buyer, id, sendMessage } = await startConversation();
  const [toSeller, toBuyer] = [await open(seller), await open(buyer)];
  expect([toSeller.status, toSeller.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(toSeller.headers.get('cache-control')).toBe('no-store');
  expect(toSeller.headers.get('content-security-policy')).toContain("default-src 'self'");
  await Promise.all([toSeller.untilCount('unread', 1), toBuyer.untilCount('unread', 1)]);
  await sendMessage(seller, 'Kia ora');
  // Beyond the last message: the event has the last one that was seen.
  await as(buyer).post(`/messages/${id}/seen`, { number: 9 });
  await as(seller).post(`/messages/${id}/block`);
  await Promise.all([toSeller.untilCount('block', 1), toBuyer.untilCount('block', 1)]);
  const message = { number: 2, text: 'Kia ora', pictures: [], seenAt: null };
  expect(toBuyer.events.map(({ event, data }) => [event, data])).toMatchObject([
    ['unread', { conversations: 0 }],
    ['message', { conversationId: id, message: { ...message, mine: false, clientId: null } }],
    ['unread', { conversations: 1 }],
    ['seen', { conversationId: id, number: 2, by: 'me' }],
    ['unread', { conversations: 0 }],
    ['block', { conversationId: id }],
  ]);
  expect(toSeller.events.map(({ event, data }) => [event, data])).toMatchObject([
    ['unread', { conversations: 1 }],
    ['message', { conversationId: id, message: { ...message, mine: true, clientId: expect.any(String) } }],
    ['seen', { conversationId: id, number: 2, by: 'them' }],
    ['block', { conversationId: id }],
  ]);
  toSeller.close();
  toBuyer.close();
});

test('does not repeat the unread count for a second message in an unread conversation', async () => {
  const { seller, buyer, sendMessage } = await startConversation();
  const stream = await open(seller, 0);
  await sendMessage(buyer, 'Are you there?');
  await stream.untilCount('message', 2);
  await appendUnread(seller, 99);
  await stream.until(() => stream.events.at(-1)?.data.conversations === 99);
  expect(stream.events.map(({ event }) => event)).toEqual(['message', 'unread', 'message', 'unread']);
  stream.close();
});

test('numbers each receiver’s events without gaps, also with concurrent and rolled back writes', async () => {
  const [one, other] = [await given.user(), await given.user()];
  await times(30, (at) =>
    db
      .transaction()
      .execute(async (tx) => {
        const both = at % 2 === 0 ? [one, other] : [other, one];
        const ids = both.map(({ _id }) => _id);
        if (at % 3 === 0) await lockReceivers(tx, ids);
        await appendEvents(
          tx,
          ids.map((userId) => ({ userId, kind: 'unread', data: { conversations: at } })),
        );
        if (at % 5 === 0) throw new Error('rolled back');
      })
      .catch(() => {}),
  );
  for (const { _id } of [one, other]) {
    const rows = await db.selectFrom('user_events').select('seq').where('user_id', '=', _id).orderBy('seq').execute();
    expect(rows.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 24 }, (_, at) => at + 1));
  }
});

test('a resumed stream gets missed events once and in order', async () => {
  const user = await given.user();
  const first = await open(user);
  for (const count of [1, 2]) await appendUnread(user, count);
  await first.untilCount('unread', 3);
  first.close();
  await first.ended;
  for (const count of [3, 4]) await appendUnread(user, count);
  const second = await open(user, 2);
  await second.untilCount('unread', 2);
  await appendUnread(user, 5);
  await second.untilCount('unread', 3);
  expect(listReceived(second)).toEqual([
    [3, 'unread', 3],
    [4, 'unread', 4],
    [5, 'unread', 5],
  ]);
  second.close();
  const third = await open(user, 5);
  await appendUnread(user, 6);
  await third.untilCount('unread', 1);
  expect(listReceived(third)).toEqual([[6, 'unread', 6]]);
  third.close();
});

test('delivers events written during a catch-up once and in order', async () => {
  const user = await given.user();
  for (let at = 1; at <= 20; at += 1) await appendUnread(user, at);
  const writing = times(30, (at) => appendUnread(user, 100 + at));
  const streams = await times(5, () => open(user, 0));
  await writing;
  await Promise.all(streams.map((stream) => stream.untilCount('unread', 50)));
  for (const stream of streams) expect(stream.events.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  for (const stream of streams) stream.close();
});

test('does not repeat an event on a stream that already caught up with it', async () => {
  const user = await given.user();
  const first = await open(user, 0);
  // Committed but not published yet.
  await sql`insert into user_event_counters values (${user._id}, 1)`.execute(db);
  await db
    .insertInto('user_events')
    .values({ user_id: user._id, seq: '1', kind: 'unread', data: JSON.stringify({ conversations: 1 }) })
    .execute();
  const second = await open(user, 0);
  await Promise.all([first, second].map((stream) => stream.untilCount('unread', 1)));
  await appendUnread(user, 2);
  await Promise.all([first, second].map((stream) => stream.until(() => stream.events.at(-1)?.id === 2)));
  for (const stream of [first, second]) expect(stream.events.map(({ id }) => id)).toEqual([1, 2]);
  for (const stream of [first, second]) stream.close();
});

test('requests a full reload if missed events are deleted or the number is invalid', async () => {
  const user = await given.user();
  for (const count of [1, 2, 3]) await appendUnread(user, count);
  await db.deleteFrom('user_events').where('user_id', '=', user._id).where('seq', '<=', '2').execute();
  const start = async (lastEventId: number) => {
    const stream = await open(user, lastEventId);
    await stream.until(() => stream.events.length > 0);
    stream.close();
    return stream.events[0];
  };
  expect(await start(1)).toEqual({ id: 3, event: 'reset', data: {} });
  expect(await start(4)).toEqual({ id: 3, event: 'reset', data: {} });
  expect(await start(2)).toEqual({ id: 3, event: 'unread', data: { conversations: 3 } });
  await db.deleteFrom('user_events').where('user_id', '=', user._id).execute();
  expect(await start(2)).toEqual({ id: 3, event: 'reset', data: {} });
});

test('stores events for 7 days', async () => {
  const user = await given.user();
  for (const count of [1, 2]) await appendUnread(user, count);
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const age = (seq: string, hours: number) =>
    db
      .updateTable('user_events')
      .set({ created_at: ago(hours) })
      .where('user_id', '=', user._id)
      .where('seq', '=', seq)
      .execute();
  await age('1', 7 * 24 + 1);
  await age('2', 7 * 24 - 1);
  await sql`insert into pgboss.job (name) values ('events.delete-old-events')`.execute(db);
  await outbox.runJobs();
  const left = await db.selectFrom('user_events').select('seq').where('user_id', '=', user._id).execute();
  expect(left.map(({ seq }) => Number(seq))).toEqual([2]);
});

test('requires a session and rejects a malformed event number', async () => {
  expect((await fetch(`${origin}/api/events`)).status).toBe(401);
  const user = await given.user();
  const answer = await fetch(`${origin}/api/events`, { headers: { authorization: `Bearer ${user.token}`, 'last-event-id': 'x' } });
  expect(answer.status).toBe(400);
});

test.each([
  ['signing out', (user: User) => as(user).post('/auth/logout')],
  [
    'suspending the account',
    (user: User) => db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute(),
  ],
])('%s ends only the streams of the session', async (_, end) => {
  const [user, other] = [await given.user(), await given.user()];
  const [stream, stays] = [await open(user), await open(other)];
  await Promise.all([stream.untilCount('unread', 1), stays.untilCount('unread', 1)]);
  await end(user);
  await stream.ended;
  expect(changedSessions).toContain(user._id);
  await appendUnread(other, 7);
  await stays.until(() => stays.events.at(-1)?.data.conversations === 7);
  expect(stream.events).toHaveLength(1);
  stays.close();
});

test('allows ten streams per user and server', async () => {
  const user = await given.user();
  const streams = await times(10, () => open(user));
  expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  const refused = await open(user);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  streams[0]?.close();
  await expect.poll(async () => (await open(user)).status).toBe(200);
  for (const stream of streams) stream.close();
});

test('a user is online while a stream is open and for a minute after', async () => {
  const user = await given.user();
  expect(await isOnline(db, user._id, clock.now())).toBe(false);
  const stream = await open(user);
  await stream.untilCount('unread', 1);
  stream.close();
  const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);
  expect(await isOnline(db, user._id, later(30))).toBe(true);
  expect(await isOnline(db, user._id, later(61))).toBe(false);
});

test('a closing server ends its streams at once', async () => {
  const user = await given.user();
  const stream = await open(user);
  await stream.untilCount('unread', 1);
  await app.close();
  await stream.ended;
  expect(stream.events).toHaveLength(1);
});
