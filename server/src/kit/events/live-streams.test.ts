import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { times } from '@handwise/sandbox/testing/times';
import { AppError } from '../errors.ts';
import { appendEvents, isOnline } from './live-events.ts';
import { LiveStreams } from './live-streams.ts';

const { db, given, parts } = await testApp();
const { context } = parts;
const ended = new Set<string>();
const streams = new LiveStreams({
  context,
  logger: context.logger,
  isValidSession: async (token) => !ended.has(token),
  greet: async () => [{ kind: 'unread', data: { conversations: 0 } }],
});
let network: string | null = null;
const responses = new Map<string, ServerResponse>();
// The token is the id of the user.
const server = createServer((request, response) => {
  const userId = request.headers.authorization?.replace('Bearer ', '') ?? '';
  responses.set(userId, response);
  const last = request.headers['last-event-id'];
  const streamRequest = { userId, token: userId, network, lastEventId: last === undefined ? undefined : Number(last), response };
  streams.open(streamRequest, { 'content-type': 'text/event-stream' }).catch((error: unknown) => {
    response.statusCode = error instanceof AppError && error.code === 'too_many_requests' ? 429 : 401;
    response.end();
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  streams.close();
  await new Promise((closed) => server.close(closed));
});

const open = async (userId: string) => {
  const stream = await openEventStream(origin, userId);
  if (stream.status === 200) await stream.untilCount('unread', 1);
  return stream;
};
const message = (text: string) => ({
  _id: randomUUID(),
  number: 1,
  mine: false,
  text,
  pictures: [],
  pdf: null,
  createdAt: new Date().toISOString(),
  seenAt: null,
  warnings: [],
  clientId: null,
});
/** Appends messages of this many bytes in total in one transaction. */
const write = (userId: string, count: number, length: number) =>
  db.transaction().execute((tx) =>
    appendEvents(
      tx,
      Array.from({ length: count }, () => ({
        userId,
        kind: 'message',
        data: { conversationId: randomUUID(), message: message('x'.repeat(length)) },
      })),
    ),
  );
/** Stops reading. */
const stopReading = (userId: string) => responses.get(userId)?.socket?.cork();

test('a heartbeat writes to the stream and records presence', async () => {
  const user = await given.user();
  const stream = await open(user._id);
  await db.deleteFrom('presence').execute();
  await streams.beat();
  await stream.until(() => stream.comments() === 1);
  expect(await isOnline(db, user._id, context.clock.now())).toBe(true);
  stream.close();
});

test('a client that reads nothing gets no more than 64 kB, and everything in order once it reads again', async () => {
  const [slow, quick] = [await given.user(), await given.user()];
  const [toSlow, toQuick] = [await open(slow._id), await open(quick._id)];
  stopReading(slow._id);
  for (let turn = 0; turn < 6; turn += 1) await write(slow._id, 10, 5_000);
  // Read last, so that all events have been published by then.
  await write(quick._id, 60, 5_000);
  await toQuick.untilCount('message', 60);
  const waiting = responses.get(slow._id)?.writableLength ?? 0;
  expect(waiting).toBeGreaterThan(64 * 1_024);
  expect(waiting).toBeLessThan(72 * 1_024);
  expect(responses.get(quick._id)?.destroyed).toBe(false);
  responses.get(slow._id)?.socket?.uncork();
  await toSlow.untilCount('message', 60);
  for (const stream of [toSlow, toQuick]) {
    expect(stream.events.map(({ id }) => id)).toEqual([0, ...Array.from({ length: 60 }, (_, at) => at + 1)]);
    stream.close();
  }
});

test('disconnects a client that has read nothing between two heartbeats', async () => {
  const [stuck, reading] = [await given.user(), await given.user()];
  const [toStuck, toReading] = [await open(stuck._id), await open(reading._id)];
  stopReading(stuck._id);
  await streams.beat();
  expect(responses.get(stuck._id)?.destroyed).toBe(false);
  await toReading.until(() => toReading.comments() === 1);
  await streams.beat();
  await toStuck.ended;
  await toReading.until(() => toReading.comments() === 2);
  toReading.close();
});

test('an expired session ends its stream within three heartbeats', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const [stream, stays] = [await open(user._id), await open(other._id)];
  ended.add(user._id);
  for (let beats = 0; beats < 3; beats += 1) await streams.beat();
  await stream.ended;
  expect(responses.get(other._id)?.writableEnded).toBe(false);
  stays.close();
});

test('ignores an event that arrives right after the session has ended', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const [stream, stays] = [await open(user._id), await open(other._id)];
  // An ended response stays open until its last bytes are sent.
  stopReading(user._id);
  ended.add(user._id);
  context.events.emit('sessions', [user._id]);
  await expect.poll(() => responses.get(user._id)?.writableEnded).toBe(true);
  await write(user._id, 1, 10);
  await streams.beat();
  await write(other._id, 1, 10);
  await stays.untilCount('message', 1);
  responses.get(user._id)?.socket?.uncork();
  await stream.ended;
  expect(stream.events.map(({ event }) => event)).toEqual(['unread']);
  stays.close();
});

test('rejects a stream whose session ends while it starts', async () => {
  const user = await given.user();
  ended.add(user._id);
  expect((await open(user._id)).status).toBe(401);
});

test('limits a network to 200 streams on a server, across users', async () => {
  network = '203.0.113.7';
  const near = await times(200, () => open(randomUUID()));
  expect(new Set(near.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await open(randomUUID())).status).toBe(429);
  network = '203.0.113.8';
  const far = await open(randomUUID());
  expect(far.status).toBe(200);
  network = '203.0.113.7';
  near[0]?.close();
  await expect.poll(async () => (await open(randomUUID())).status).toBe(200);
  for (const stream of [...near, far]) stream.close();
  network = null;
});
