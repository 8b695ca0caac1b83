import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { openDatabase } from '../../kit/database/database.ts';
import { Jobs } from '../../kit/jobs/jobs.ts';
import { hasPrivateAddress, isPublicAddress, parseEndpoint, postToEndpoint } from './push.endpoint.ts';
import { getOwnPushData, pushJobs, sendPush } from './push.service.ts';

const { callers, db, given, outbox, parts, pushes } = await testApp();
const { as, asVisitor } = callers;
const { context, clock } = parts;

const subscribe = async (user: { token: string }, subscription = pushes.subscribe()) => {
  const answer = await as(user).post('/push/subscriptions', { ...subscription, expirationTime: null });
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ current: true, showsText: false })]);
  return { id: answer.body._id as string, ...subscription };
};
const receivedAt = (endpoint: string) =>
  pushes.received.filter((one) => one.endpoint === endpoint).map((one) => JSON.parse(one.payload) as Record<string, string>);
const countOf = async (userId: string) =>
  (await db.selectFrom('push_subscriptions').select('id').where('user_id', '=', userId).execute()).length;

/** A buyer who has written to a seller. */
async function startConversation() {
  const [seller, buyer] = [await given.user({ fullName: 'Aroha Ngata' }), await given.user({ fullName: 'Mere Kingi' })];
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const send = (message: string) => as(buyer).post('/email/send', { sellerId: seller._id, listingId, message });
  const { conversationId } = (await send('Kia ora, are you free?')).body as { conversationId: string };
  return { seller, buyer, listingId, conversationId, send };
}

test('gives every server and visitor the same public key', async () => {
  const [first, again] = await Promise.all([asVisitor.get('/push/key'), asVisitor.get('/push/key')]);
  expect(first.body.key).toMatch(/^[\w-]{87}$/);
  expect(again.body.key).toBe(first.body.key);
});

test('a message reaches the receiver’s device without its text, and opens the conversation', async () => {
  const { seller, buyer, conversationId, send } = await startConversation();
  const device = await subscribe(seller);
  const own = await subscribe(buyer);
  await send('The tap drips at 5 Rātā Street.');
  await outbox.runJobs();
  expect(receivedAt(device.endpoint)).toEqual([
    { title: 'You have a new message', body: 'Handwise', path: `/messages/${conversationId}`, tag: `conversation-${conversationId}` },
  ]);
  expect(receivedAt(own.endpoint)).toEqual([]);
  const { body } = await as(seller).get('/push/subscriptions');
  expect(body.subscriptions).toEqual([expect.objectContaining({ _id: device.id, current: true, lastUsedAt: expect.any(String) })]);
});

test('shows sender and text on a device whose user allows it, clipped to what fits', async () => {
  const { seller, buyer, conversationId } = await startConversation();
  const device = await subscribe(buyer);
  expect((await as(buyer).put(`/push/subscriptions/${device.id}`, { showsText: true })).body.showsText).toBe(true);
  await as(seller).postForm(`/messages/${conversationId}`, { message: `Yes ${'ā'.repeat(900)}`, clientId: crypto.randomUUID() }, []);
  await outbox.runJobs();
  const [shown] = receivedAt(device.endpoint);
  expect(shown?.title).toBe('Kingi & Daughters');
  expect(shown?.body).toBe(`Yes ${'ā'.repeat(196)}…`);
});

test('names a quote request as one', async () => {
  const { seller, buyer, listingId } = await startConversation();
  const device = await subscribe(seller);
  const job = {
    listingId,
    clientId: crypto.randomUUID(),
    job: 'Fix the roof',
    category: 'Plumbing',
    subCategory: '',
    place: 'Auckland',
    when: 'asap',
    date: '',
  };
  expect((await as(buyer).postForm('/quote-requests', job, [])).status).toBe(200);
  await outbox.runJobs();
  expect(receivedAt(device.endpoint).map(({ title }) => title)).toEqual(['You have a new quote request']);
});

test('sends nothing if the cause is rolled back', async () => {
  const user = await given.user();
  const device = await subscribe(user);
  const notification = { title: 'A result', path: '/draws', tag: 'draw' };
  await db
    .transaction()
    .execute(async (tx) => {
      await sendPush(tx, context, user._id, () => notification);
      throw new Error('rolled back');
    })
    .catch(() => {});
  await outbox.runJobs();
  expect(receivedAt(device.endpoint)).toEqual([]);
  await db.transaction().execute((tx) => sendPush(tx, context, user._id, () => notification));
  await outbox.runJobs();
  expect(receivedAt(device.endpoint)).toEqual([{ title: 'A result', body: 'Handwise', path: '/draws', tag: 'draw' }]);
});

test.each([404, 410])('removes a device whose endpoint answers %i', async (status) => {
  const { seller, send } = await startConversation();
  await subscribe(seller);
  pushes.failures.push(status);
  await send('Are you there?');
  await outbox.runJobs();
  expect(await countOf(seller._id)).toBe(0);
});

test.each([408, 429, 503])('tries again after a %i of the service, and keeps the device', async (status) => {
  const { seller, send } = await startConversation();
  const device = await subscribe(seller);
  pushes.failures.push(status);
  await send('Are you there?');
  await outbox.runJobs();
  expect([receivedAt(device.endpoint).length, await countOf(seller._id)]).toEqual([0, 1]);
  expect((await outbox.queued('push.deliver-notification')).map(({ deviceId }) => deviceId)).toContain(device.id);
});

test('an endpoint that does not answer twice rests for a day, whatever is sent to it', async () => {
  const { seller, send } = await startConversation();
  const device = await subscribe(seller);
  pushes.silent.add(device.endpoint);
  const stored = async () =>
    db.selectFrom('push_subscriptions').select(['timeouts', 'rests_until']).where('id', '=', device.id).executeTakeFirstOrThrow();
  const waiting = async () => (await outbox.queued('push.deliver-notification')).filter(({ deviceId }) => deviceId === device.id).length;
  await send('Are you there?');
  await outbox.runJobs();
  expect([await stored(), await waiting()]).toEqual([{ timeouts: 1, rests_until: null }, 1]);
  await send('Hello?');
  await outbox.runJobs();
  const restsUntil = (await stored()).rests_until?.getTime() ?? 0;
  expect(restsUntil - clock.now().getTime()).toBeGreaterThan(dayMs - 60_000);
  expect(restsUntil - clock.now().getTime()).toBeLessThanOrEqual(dayMs);

  pushes.silent.delete(device.endpoint);
  await send('Still nothing?');
  await outbox.runJobs();
  expect(receivedAt(device.endpoint)).toEqual([]);
  clock.set(new Date(restsUntil));
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date(restsUntil + dayMs) })
    .where('user_id', '=', seller._id)
    .execute();
  await send('Good morning');
  await outbox.runJobs();
  expect(receivedAt(device.endpoint)).toHaveLength(1);
  clock.set(new Date());
});

test('ten endpoints of a member that never answer hold up nobody else', async () => {
  const [{ seller, send }, others] = [await startConversation(), await startConversation()];
  const silent = Array.from({ length: 10 }, () => pushes.subscribe());
  for (const [at, { endpoint, keys }] of silent.entries()) {
    pushes.silent.add(endpoint);
    const session = { token_hash: Buffer.alloc(32, 100 + at), user_id: seller._id, expires_at: new Date(clock.now().getTime() + dayMs) };
    const { id } = await db.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow();
    await db
      .insertInto('push_subscriptions')
      .values({ user_id: seller._id, session_id: id, endpoint, ...keys, browser: '', created_at: clock.now() })
      .execute();
  }
  const device = await subscribe(others.seller);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = inject('postgresUrl').replace(/postgres$/, rows[0]?.name ?? '');
  const database = openDatabase({ url, connections: 5, onIdleError: () => {} });
  const jobs = new Jobs({ pool: database.pool, logger: pino({ level: 'silent' }) });
  pushJobs({ ...context, jobs });
  await jobs.start({ work: true, events: context.events });
  try {
    await send('Are you there?');
    await others.send('And you?');
    await expect.poll(() => receivedAt(device.endpoint).length).toBe(1);
    // One after the other they take 3 s each, so most still wait.
    expect((await outbox.queued('push.deliver-notification')).length).toBeGreaterThan(5);
  } finally {
    await jobs.stop();
    await database.close();
    await db.deleteFrom('push_subscriptions').where('user_id', '=', seller._id).execute();
  }
});

test('an answer between two timeouts keeps an endpoint in use', async () => {
  const { seller, send } = await startConversation();
  const device = await subscribe(seller);
  await db.updateTable('push_subscriptions').set({ timeouts: 1 }).where('id', '=', device.id).execute();
  await send('Are you there?');
  await outbox.runJobs();
  const row = await db.selectFrom('push_subscriptions').select('timeouts').where('id', '=', device.id).executeTakeFirstOrThrow();
  expect([receivedAt(device.endpoint).length, row.timeouts]).toEqual([1, 0]);
});

test('sends the notifications of a user one after the other, beside those of others', async () => {
  const { seller, send } = await startConversation();
  await subscribe(seller);
  await send('Are you there?');
  const { rows } = await sql<{
    group_id: string;
  }>`select group_id from pgboss.job where name = 'push.deliver-notification' and state = 'created'`.execute(db);
  expect(rows.map((row) => row.group_id)).toEqual([seller._id]);
  await outbox.runJobs();
});

test.each([
  'http://updates.push.example/1',
  'https://127.0.0.1/1',
  'https://[::1]/1',
  'https://[::ffff:10.0.0.1]/1',
  'https://169.254.169.254/latest',
  'https://2130706433/1',
  'https://localhost/1',
  'https://localhost./1',
  'https://metadata.google.internal/1',
  'https://push.example:8443/1',
  'https://user:secret@push.example/1',
  'http://127.0.0.1:1/push/1',
  'ftp://push.example/1',
  'no address',
])('refuses the endpoint %s', async (endpoint) => {
  const user = await given.user();
  const { keys } = pushes.subscribe();
  const answer = await as(user).post('/push/subscriptions', { endpoint, keys });
  expect([answer.status, answer.body.code]).toEqual([400, 'push_endpoint_refused']);
  expect(await countOf(user._id)).toBe(0);
});

test('refuses a name that resolves to a private address, when subscribing and when connecting', async () => {
  const url = new URL('https://localhost/1');
  expect(await hasPrivateAddress(url)).toBe(true);
  await expect(postToEndpoint(url, {}, Buffer.alloc(0), false)).rejects.toThrow('localhost has a private address');
});

test('deletes a device whose endpoint has come to be refused', async () => {
  const { seller, send } = await startConversation();
  const { id } = await subscribe(seller);
  await db.updateTable('push_subscriptions').set({ endpoint: 'https://10.0.0.1/1' }).where('id', '=', id).execute();
  await send('Are you there?');
  await outbox.runJobs();
  expect(await countOf(seller._id)).toBe(0);
});

test('only public addresses are allowed, and only the sandbox’s exact origin besides', () => {
  const refused = [
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    'fd00::1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '::ffff:8.8.8.8',
  ];
  expect(refused.filter(isPublicAddress)).toEqual([]);
  expect(['8.8.8.8', '2607:f8b0:400a::5'].filter((address) => !isPublicAddress(address))).toEqual([]);
  const sandbox = 'http://localhost:1080';
  expect(parseEndpoint(`${sandbox}/push/1`, sandbox)?.pathname).toBe('/push/1');
  for (const other of ['http://localhost:1081/push/1', 'http://localhost.:1080/push/1', 'https://localhost:1080/push/1']) {
    expect([other, parseEndpoint(other, sandbox)]).toEqual([other, undefined]);
  }
  expect(parseEndpoint(`${sandbox}/push/1`, null)).toBeUndefined();
});

test('signing out ends the device’s notifications, signing out elsewhere does not', async () => {
  const user = await given.user({ email: 'devices@example.org' });
  const other = (await asVisitor.post('/auth/login', { email: 'devices@example.org', password: 'correct-horse' })).body.data as {
    token: string;
  };
  await subscribe(user);
  await subscribe(other);
  await as(user).post('/auth/logout');
  const { body } = await as(other).get('/push/subscriptions');
  expect(body.subscriptions.map(({ current }: { current: boolean }) => current)).toEqual([true]);
});

test('sends nothing to an expired session, a suspended account or a deleted one', async () => {
  const { seller, send } = await startConversation();
  const device = await subscribe(seller);
  await db.updateTable('sessions').set({ expires_at: clock.now() }).where('user_id', '=', seller._id).execute();
  await send('Are you there?');
  await outbox.runJobs();
  expect(receivedAt(device.endpoint)).toEqual([]);
  const next = await startConversation();
  const suspended = await subscribe(next.seller);
  await next.send('And you?');
  await db.updateTable('users').set({ suspended_at: clock.now() }).where('id', '=', next.seller._id).execute();
  await outbox.runJobs();
  expect(receivedAt(suspended.endpoint)).toEqual([]);
  const last = await startConversation();
  const left = await subscribe(last.seller);
  await last.send('And you?');
  // Deleting an account ends its devices; this one is left over.
  await db.updateTable('users').set({ deleted_at: clock.now() }).where('id', '=', last.seller._id).execute();
  await outbox.runJobs();
  expect(receivedAt(left.endpoint)).toEqual([]);
});

test('subscribing again changes nothing, a new subscription replaces that of the session', async () => {
  const user = await given.user();
  const first = await subscribe(user);
  await as(user).put(`/push/subscriptions/${first.id}`, { showsText: true });
  const { endpoint, keys } = first;
  expect((await as(user).post('/push/subscriptions', { endpoint, keys })).body.showsText).toBe(true);
  expect((await as(user).post('/push/subscriptions', pushes.subscribe())).status).toBe(200);
  expect(await countOf(user._id)).toBe(1);
});

test('a browser takes its subscription along to another account, a stranger who has seen the endpoint does not', async () => {
  const [before, stranger, after] = [await given.user(), await given.user(), await given.user()];
  const { id, endpoint, keys } = await subscribe(before);
  await as(before).put(`/push/subscriptions/${id}`, { showsText: true });
  const stolen = await as(stranger).post('/push/subscriptions', { endpoint, keys: pushes.subscribe().keys });
  expect([stolen.status, stolen.body.code]).toEqual([400, 'push_endpoint_refused']);
  expect(await countOf(before._id)).toBe(1);
  // Whether texts are shown was the other account's choice.
  expect(await as(after).post('/push/subscriptions', { endpoint, keys })).toMatchObject({ status: 200, body: { showsText: false } });
  expect([await countOf(before._id), await countOf(after._id)]).toEqual([0, 1]);
});

test('another user’s device is a 404 and stays as it is', async () => {
  const [owner, stranger] = [await given.user(), await given.user()];
  const { id } = await subscribe(owner);
  for (const answer of [
    await as(stranger).put(`/push/subscriptions/${id}`, { showsText: true }),
    await as(stranger).delete(`/push/subscriptions/${id}`),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([404, 'push_subscription_not_found']);
  }
  expect((await as(owner).get('/push/subscriptions')).body.subscriptions).toEqual([expect.objectContaining({ _id: id, showsText: false })]);
  expect((await as(owner).delete(`/push/subscriptions/${id}`)).status).toBe(200);
  expect(await countOf(owner._id)).toBe(0);
});

test('account deletion ends the devices, and the export lists them without their keys', async () => {
  const user = await given.user();
  const { endpoint, keys } = await subscribe(user);
  const exported = await getOwnPushData(db, user._id).lists['push-devices']?.();
  expect(JSON.stringify(exported)).toContain(endpoint);
  expect(JSON.stringify(exported)).not.toContain(keys.auth);
  expect((await as(user).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect(await countOf(user._id)).toBe(0);
});

test('an account has twenty devices at most', async () => {
  const user = await given.user({ email: 'many@example.org' });
  for (let count = 0; count < 19; count += 1) {
    const { id } = await db
      .insertInto('sessions')
      .values({ token_hash: Buffer.alloc(32, count + 1), user_id: user._id, expires_at: new Date(Date.now() + 86_400_000) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { endpoint, keys } = pushes.subscribe();
    await db
      .insertInto('push_subscriptions')
      .values({ user_id: user._id, session_id: id, endpoint, ...keys, browser: '', created_at: new Date() })
      .execute();
  }
  await subscribe(user);
  const other = (await asVisitor.post('/auth/login', { email: 'many@example.org', password: 'correct-horse' })).body.data as {
    token: string;
  };
  const answer = await as(other).post('/push/subscriptions', pushes.subscribe());
  expect([answer.status, answer.body.code]).toEqual([409, 'too_many_push_devices']);
  expect(await countOf(user._id)).toBe(20);
});
