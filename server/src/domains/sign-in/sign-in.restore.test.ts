import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { deleteExpired } from '../accounts/accounts.jobs.ts';
import { findUser, suspendUser } from '../accounts/accounts.service.ts';
import { startLook } from '../accounts/accounts.sessions.ts';

const { app, callers, given, db, outbox, parts } = await testApp();
const { as, from } = callers;
const { clock, context } = parts;

const day = 24 * 60 * 60_000;
const password = 'correct-horse';
type User = { _id: string; email: string; token: string };
type Answer = { headers: Record<string, string | string[] | number | undefined> };

const cookiesOf = ({ headers }: Answer) =>
  ([headers['set-cookie'] ?? []].flat() as string[]).filter((cookie) => !cookie.startsWith('wrote='));
/** The token in the cookie that an answer sets; empty if it clears it, undefined without one. */
const restoreIn = (answer: Answer) => cookiesOf(answer).flatMap((cookie) => /^restore=([\w-]*);/.exec(cookie)?.[1] ?? [])[0];

async function signIn(user: { email: string }) {
  const answer = await from('127.0.0.1').post('/auth/login', { email: user.email, password });
  return { user: answer.body.data as User, restore: restoreIn(answer) ?? '' };
}
const restore = (token: string, headers: Record<string, string> = {}) =>
  from('127.0.0.1', { cookie: `signed-in=1; restore=${token}`, ...headers }).post('/auth/restore');
const isSignedIn = async (user: User) => (await as(user).get('/auth/session')).status === 200;

async function at(ms: number, work: () => Promise<void>) {
  clock.set(new Date(Date.now() + ms));
  try {
    await work();
  } finally {
    clock.set(new Date());
  }
}

test('sets a cookie for the one call that reads it, and one that says only that it is there', async () => {
  const user = await given.user();
  const answer = await from('127.0.0.1').post('/auth/login', { email: user.email, password });
  const [secret, hint] = cookiesOf(answer);
  expect(secret).toMatch(/^restore=[\w-]{43}; Path=\/api\/auth\/restore; Max-Age=2592000; HttpOnly; Secure; SameSite=Strict$/);
  expect(hint).toBe('signed-in=1; Path=/; Max-Age=2592000; Secure; SameSite=Strict');
  expect(answer.body).not.toHaveProperty('restore');
});

test('every way in sets the cookie', async () => {
  const email = `${crypto.randomUUID()}@example.org`;
  const registered = await from('127.0.0.1').post('/auth/register', {
    fullName: 'Mere Kingi',
    username: `m${Date.now()}`.slice(0, 18),
    email,
    password,
  });
  expect(restoreIn(registered)).toMatch(/^[\w-]{43}$/);
  const changed = await as(registered.body.data).put('/auth/update', { password: 'another-horse', currentPassword: password });
  expect(restoreIn(changed)).toMatch(/^[\w-]{43}$/);
  await from('127.0.0.1').post('/auth/forgot-password', { email });
  await outbox.runJobs();
  const mail = (await outbox.mails()).findLast(({ to }) => to === email);
  const token = /token=([\w-]+)/.exec(JSON.stringify(mail))?.[1];
  const reset = await from('127.0.0.1').post('/auth/reset-password', { token, password: 'third-horse-9' });
  expect(restoreIn(reset)).toMatch(/^[\w-]{43}$/);
  // The sign-in that a second step follows sets none.
  const restored = await restore(restoreIn(reset) ?? '');
  expect(restored.status).toBe(200);
});

test('restores the session with a new token, which is the only one then', async () => {
  const one = await signIn(await given.user());
  const { status, body, headers } = await restore(one.restore);
  expect([status, Object.keys(body)]).toEqual([200, ['data']]);
  expect(body.data).toMatchObject({ _id: one.user._id, email: one.user.email });
  expect(body.data.token).not.toBe(one.user.token);
  expect(await isSignedIn(body.data)).toBe(true);
  expect(await isSignedIn(one.user)).toBe(false);
  expect(restoreIn({ headers })).not.toBe(one.restore);
  // It is the same session in the list, and has not been proved again.
  const { sessions } = (await as(body.data).get('/auth/sessions')).body;
  expect(sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
  expect(sessions).toHaveLength(2);
  expect((await as(body.data).delete('/auth/sessions')).body.code).toBe('confirm_identity');
});

test('rotates at each use, and ends the session if a cookie is used twice', async () => {
  const one = await signIn(await given.user());
  const first = await restore(one.restore);
  const second = await restore(restoreIn(first) ?? '');
  expect(second.status).toBe(200);
  const again = await restore(restoreIn(first) ?? '');
  expect([again.status, again.body.code, restoreIn(again)]).toEqual([401, 'session_over', '']);
  // Both ends: whoever has the copy, and whoever was restored with it.
  expect(await isSignedIn(second.body.data)).toBe(false);
  expect((await restore(restoreIn(second) ?? '')).status).toBe(401);
});

test('of ten uses at the same time one restores, and the session ends', async () => {
  const one = await signIn(await given.user());
  const answers = await Promise.all(Array.from({ length: 10 }, () => restore(one.restore)));
  const restored = answers.filter(({ status }) => status === 200);
  expect(restored).toHaveLength(1);
  expect(await isSignedIn(restored[0]?.body.data)).toBe(false);
});

test('authenticates no other call', async () => {
  const one = await signIn(await given.user());
  const caller = from('127.0.0.1', { cookie: `restore=${one.restore}` });
  for (const path of ['/auth/session', '/auth/sessions', '/listing/mylistings', '/messages'])
    expect((await caller.get(path)).status).toBe(401);
  expect((await caller.post('/auth/logout')).status).toBe(401);
  expect(await isSignedIn(one.user)).toBe(true);
});

test.each([
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  // Another host of ours is another origin.
  { origin: 'http://au.localhost:3000', host: 'nz.localhost:3000' },
])('is refused to another origin (%o), which uses nothing up', async (headers) => {
  const one = await signIn(await given.user());
  expect(await restore(one.restore, headers)).toMatchObject({ status: 403, body: { code: 'cross_origin' } });
  expect((await restore(one.restore)).status).toBe(200);
});

test.each<{ name: string; end: (user: User) => Promise<unknown> }>([
  { name: 'signing out', end: (user) => as(user).post('/auth/logout') },
  { name: 'a new password', end: (user) => as(user).put('/auth/update', { password: 'another-horse', currentPassword: password }) },
  { name: 'a suspension', end: ({ _id }) => db.transaction().execute((tx) => suspendUser(tx, _id, new Date())) },
  { name: 'the end of the session elsewhere', end: async (user) => as((await signIn(user)).user).delete('/auth/sessions') },
  { name: 'deleting the account', end: (user) => as(user).delete('/auth/account', { currentPassword: password }) },
])('$name ends what the cookie could restore', async ({ end }) => {
  const one = await signIn(await given.user());
  await end(one.user);
  expect((await restore(one.restore)).status).toBe(401);
});

test('signing out clears both cookies', async () => {
  const one = await signIn(await given.user());
  const cookies = cookiesOf(await as(one.user).post('/auth/logout'));
  expect(cookies).toEqual([expect.stringMatching(/^restore=; .*Max-Age=0/), expect.stringMatching(/^signed-in=; .*Max-Age=0/)]);
});

test('lasts 30 days, and no longer than its session', async () => {
  const user = await given.user();
  const [early, late] = [await signIn(user), await signIn(user)];
  await at(29 * day, async () => expect((await restore(early.restore)).status).toBe(200));
  await at(31 * day, async () => expect((await restore(late.restore)).status).toBe(401));
});

test('is renewed by using the session, once a day, and the cookie before still works', async () => {
  const one = await signIn(await given.user());
  let renewed: string | undefined;
  await at(day / 2, async () => expect(restoreIn(await as(one.user).get('/auth/session'))).toBeUndefined());
  await at(2 * day, async () => {
    renewed = restoreIn(await as(one.user).get('/auth/session'));
    expect(renewed).toMatch(/^[\w-]{43}$/);
    expect(restoreIn(await as(one.user).get('/auth/session'))).toBeUndefined();
  });
  // The answer with the new one may have been lost.
  await at(2 * day, async () => expect((await restore(one.restore)).status).toBe(200));
  // Which uses up the other.
  await at(2 * day, async () => expect((await restore(renewed ?? '')).status).toBe(401));
});

test('a visit of staff sets no cookie, and an answer that others may share neither', async () => {
  const user = await given.user();
  const staff = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', staff._id).execute();
  const look = await db.transaction().execute(async (tx) => {
    const seen = await findUser(tx, user._id);
    if (!seen) throw new Error('nobody to look at');
    return startLook(tx, seen, { id: staff._id, reason: 'You asked.', browser: 'Chrome on Mac' }, clock.now());
  });
  await at(20 * 60_000, async () => expect(cookiesOf(await as(look).get('/auth/session'))).toEqual([]));
  const listing = await given.listing();
  await at(2 * day, async () => {
    const shared = await app.inject({ url: `/api/listing/${listing.id}`, headers: { authorization: `Bearer ${user.token}` } });
    const isShared = String(shared.headers['cache-control']).includes('public');
    expect(isShared && shared.headers['set-cookie'] !== undefined).toBe(false);
  });
});

test.each(['', 'restore=', 'restore=short', `restore=${'x'.repeat(43)}`, `other=${'x'.repeat(43)}`])(
  'answers 401 to the cookie %j',
  async (cookie) => {
    expect(await from('127.0.0.1', cookie ? { cookie } : {}).post('/auth/restore')).toMatchObject({ status: 401 });
  },
);

test('deletes what restored a session together with the session', async () => {
  const one = await signIn(await given.user());
  await as(one.user).post('/auth/logout');
  await deleteExpired(context);
  const left = await db
    .selectFrom('restore_tokens')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .where('user_id', '=', one.user._id)
    .selectAll()
    .execute();
  expect(left).toHaveLength(1);
});
