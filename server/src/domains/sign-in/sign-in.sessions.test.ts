import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { deleteExpired } from '../accounts/accounts.jobs.ts';
import { findUser } from '../accounts/accounts.service.ts';
import { startLook } from '../accounts/accounts.sessions.ts';

const { app, callers, given, db, parts } = await testApp();
const { as, asVisitor, from } = callers;
const { clock, context } = parts;

const minute = 60_000;
const day = 24 * 60 * minute;
const nowhere = '00000000-0000-4000-8000-000000000000';
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

type User = { _id: string; email: string; token: string };
const signIn = async (user: User, headers: Record<string, string> = {}) =>
  (await from('127.0.0.1', headers).post('/auth/login', { email: user.email, password: 'correct-horse' })).body.data as User;
const sessionsOf = async (user: User) => (await as(user).get('/auth/sessions')).body.sessions;
const isSignedIn = async (user: User) => (await as(user).get('/auth/session')).status === 200;
const confirm = (user: User, password = 'correct-horse') => as(user).post('/auth/confirm-identity', { password });
/** Starts a staff view of the site as a user. */
async function viewAs(user: User, reason = 'You asked why a photo is missing.') {
  const staff = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', staff._id).execute();
  const { token } = await db.transaction().execute(async (tx) => {
    const seen = await findUser(tx, user._id);
    if (!seen) throw new Error('nobody to look at');
    return startLook(tx, seen, { id: staff._id, reason, browser: 'Chrome on Mac' }, clock.now());
  });
  return { staff, user: { ...user, token } };
}
async function later(ms: number, work: () => Promise<void>) {
  clock.set(new Date(Date.now() + ms));
  try {
    await work();
  } finally {
    clock.set(new Date());
  }
}

test('lists the caller’s sessions with browser and start, and no one else’s', async () => {
  const user = await given.user();
  await given.user();
  const there = await signIn(user, firefox);
  const seen = await sessionsOf(user);
  expect(seen).toHaveLength(2);
  const [other, own] = seen[0].current ? seen.toReversed() : seen;
  expect([own.current, own.browser, own.look]).toEqual([true, 'An unknown device', null]);
  expect([other.current, other.browser, other.look]).toEqual([false, 'Firefox on Linux', null]);
  for (const field of ['createdAt', 'lastUsedAt']) expect(Math.abs(Date.parse(other[field]) - Date.now())).toBeLessThan(minute);
  expect(JSON.stringify(seen)).not.toContain(there.token);
  expect((await asVisitor.get('/auth/sessions')).status).toBe(401);
});

test('lists the most recently used session first', async () => {
  const user = await given.user();
  const there = await signIn(user);
  await later(6 * minute, async () => {
    await as(user).get('/auth/session');
    expect((await sessionsOf(user)).map((one: { current: boolean }) => one.current)).toEqual([true, false]);
  });
  await later(20 * minute, async () => {
    expect((await sessionsOf(there))[0].current).toBe(true);
    expect((await sessionsOf(user))[0].current).toBe(true);
  });
});

test('ends a session of the caller at once and does not find those of others', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const there = await signIn(user);
  const { _id: id } = (await sessionsOf(user)).find((one: { current: boolean }) => !one.current);
  expect((await as(other).delete(`/auth/sessions/${id}`)).body.code).toBe('session_not_found');
  expect(await isSignedIn(there)).toBe(true);
  expect((await asVisitor.delete(`/auth/sessions/${id}`)).status).toBe(401);
  expect((await as(user).delete(`/auth/sessions/${id}`)).status).toBe(200);
  expect([await isSignedIn(there), await isSignedIn(user)]).toEqual([false, true]);
  expect((await as(user).delete(`/auth/sessions/${id}`)).status).toBe(404);
  expect((await as(user).delete(`/auth/sessions/${nowhere}`)).status).toBe(404);
  expect((await as(user).delete('/auth/sessions/this')).status).toBe(400);
});

test('ends all other sessions of the caller and none of other users', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const elsewhere = [await signIn(user), await signIn(user)];
  expect((await as(user).delete('/auth/sessions')).status).toBe(200);
  expect(await isSignedIn(user)).toBe(true);
  expect(await isSignedIn(other)).toBe(true);
  for (const one of elsewhere) expect(await isSignedIn(one)).toBe(false);
  expect(await sessionsOf(user)).toHaveLength(1);
});

test('requires a new confirmation ten minutes after signing in, per session', async () => {
  const user = await given.user();
  const there = await signIn(user);
  const status = async (one: User) => {
    const { status: answer, body } = await as(one).delete(`/auth/sessions/${nowhere}`);
    return answer === 403 ? body.code : answer;
  };
  await later(9.9 * minute, async () => expect(await status(user)).toBe(404));
  await later(10.1 * minute, async () => {
    expect(await status(user)).toBe('confirm_identity');
    const wrong = await confirm(user, 'wrong-one');
    expect([wrong.status, wrong.body.message]).toEqual([400, 'This is not your password']);
    expect(await status(user)).toBe('confirm_identity');
    expect((await confirm(user)).status).toBe(200);
    expect(await status(user)).toBe(404);
    expect(await status(there)).toBe('confirm_identity');
  });
  await later(20.3 * minute, async () => expect(await status(user)).toBe('confirm_identity'));
  expect((await asVisitor.post('/auth/confirm-identity', { password: 'correct-horse' })).status).toBe(401);
});

test('counts wrong passwords of a confirmation towards the sign-in limit', async () => {
  const user = await given.user();
  const statuses = (await Promise.all(Array.from({ length: 15 }, (_, index) => confirm(user, `wrong-${index}`)))).map(
    ({ status }) => status,
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array(10).fill(400), ...Array(5).fill(429)]);
  expect((await confirm(user)).status).toBe(429);
  expect((await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' })).status).toBe(429);
});

test('lets a staff view only read, with the user’s rights, and never confirm identity', async () => {
  const admin = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin._id).execute();
  const { user } = await viewAs(admin);
  expect((await as(user).get('/auth/session')).body.data._id).toBe(admin._id);
  const { id } = await given.listing();
  for (const rejected of [
    await as(user).post('/auth/logout'),
    await confirm(user),
    await as(user).delete('/auth/sessions'),
    await as(user).post(`/listing/saved/${id}`),
  ]) {
    expect([rejected.status, rejected.body.code]).toEqual([403, 'look_only']);
  }
  expect((await as(user).get(`/listing/saved/check/${id}`)).body).toEqual({ isSaved: false });
  expect(await isSignedIn(admin)).toBe(true);
  expect(await isSignedIn(user)).toBe(true);
  expect(await app.findViewer(user.token)).toMatchObject({ id: admin._id, role: 'user', isLook: true, isRecent: false });
  expect(await app.findViewer(admin.token)).toMatchObject({ id: admin._id, role: 'admin', isLook: false, isRecent: true });
});

test('ends a staff view after half an hour and keeps showing it to the user with its reason', async () => {
  const seen = await given.user();
  const { user } = await viewAs(seen);
  await later(29 * minute, async () => expect(await isSignedIn(user)).toBe(true));
  await later(31 * minute, async () => expect(await isSignedIn(user)).toBe(false));
  const ofUser = async () => (await sessionsOf(seen)).find((one: { look: unknown }) => one.look !== null)?.look;
  expect(await ofUser()).toEqual({ reason: 'You asked why a photo is missing.', ended: false });
  await db
    .updateTable('sessions')
    .set({ expires_at: new Date() })
    .where('looked_by', 'is not', null)
    .where('user_id', '=', seen._id)
    .execute();
  await deleteExpired(context);
  expect(await ofUser()).toEqual({ reason: 'You asked why a photo is missing.', ended: true });
  await later(91 * day, () => deleteExpired(context));
  expect(await db.selectFrom('sessions').select('id').where('user_id', '=', seen._id).execute()).toEqual([]);
});

test('ends a staff view when the user ends it, or when staff are suspended or lose the role', async () => {
  const seen = await given.user();
  const first = await viewAs(seen);
  const { _id: id } = (await sessionsOf(seen)).find((one: { look: unknown }) => one.look !== null);
  expect((await as(seen).delete(`/auth/sessions/${id}`)).status).toBe(200);
  expect(await isSignedIn(first.user)).toBe(false);
  expect((await sessionsOf(seen)).filter((one: { look: { ended: boolean } | null }) => one.look?.ended)).toHaveLength(1);

  const second = await viewAs(seen);
  await as(seen).delete('/auth/sessions');
  expect(await isSignedIn(second.user)).toBe(false);

  const third = await viewAs(seen);
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', third.staff._id).execute();
  expect(await isSignedIn(third.user)).toBe(false);
  const fourth = await viewAs(seen);
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', fourth.staff._id).execute();
  expect(await isSignedIn(fourth.user)).toBe(false);
  expect(await isSignedIn(seen)).toBe(true);
});

test('signs suspended and deleted users out at once', async () => {
  for (const column of ['suspended_at', 'deleted_at'] as const) {
    const user = await given.user();
    await db
      .updateTable('users')
      .set({ [column]: new Date() })
      .where('id', '=', user._id)
      .execute();
    expect(await isSignedIn(user)).toBe(false);
  }
});
