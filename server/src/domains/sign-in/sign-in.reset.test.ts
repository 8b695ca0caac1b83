import { testApp } from '@handwise/sandbox/test-app';
import { accountLinksOf } from '@handwise/sandbox/testing/account-links';
import { expect, test } from 'vitest';

const tested = await testApp();
const { callers, given, db, outbox } = tested;
const { confirmation, verify, isConfirmed, endLinks, lifeOf } = accountLinksOf(tested);
const { mailed } = outbox;
const { asVisitor, as, from } = callers;

const reset = (email: string) => mailed(email, /^Choose a new password/);
const choose = (token: string, password = 'kererū-in-the-tree') => asVisitor.post('/auth/reset-password', { token, password });
const forget = (email: string) => asVisitor.post('/auth/forgot-password', { email });

test('a link to choose a password holds for an hour', async () => {
  const user = await given.user();
  await outbox.runJobs();
  await db.deleteFrom('account_links').execute();
  await forget(user.email);
  const { token } = await reset(user.email);
  expect(Math.round((await lifeOf(user._id)) / 60_000)).toBe(60);
  await endLinks(-1);
  expect((await choose(token)).body.code).toBe('link_not_valid');
});

test('a new password is chosen once by the link; every session and every other link ends, and its owner is told', async () => {
  const user = await given.user();
  const login = (password: string) => asVisitor.post('/auth/login', { email: user.email, password });
  await forget(user.email);
  const old = (await reset(user.email)).token;
  await forget(user.email.toUpperCase());
  const { count, url, token } = await reset(user.email);
  expect([count, url.split('?')[0]]).toEqual([2, 'http://localhost:3000/auth/reset']);

  const answers = await Promise.all(Array.from({ length: 8 }, () => choose(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const begun = answers.find(({ status }) => status === 200)?.body.data;
  expect((await as(begun).get('/auth/session')).body.data._id).toBe(user._id);
  expect((await as(user).get('/auth/session')).status).toBe(401);
  expect((await choose(old)).body.code).toBe('link_not_valid');
  expect((await login('correct-horse')).status).toBe(401);
  expect((await login('kererū-in-the-tree')).status).toBe(200);
  expect((await mailed(user.email, /was changed$/)).count).toBe(1);
  // Of the devices, only the one that chose it is known now, and the one that has signed in since.
  const devices = await db.selectFrom('devices').select('token_hash').where('user_id', '=', user._id).execute();
  expect(devices).toHaveLength(2);
  // The link went to the address, so whoever used it has it.
  expect(await isConfirmed(user._id)).toBe(true);
});

test('a link is for its own purpose only', async () => {
  const user = await given.user();
  const { token } = await confirmation(user.email);
  expect((await choose(token)).body.code).toBe('link_not_valid');
  await forget(user.email);
  const second = await reset(user.email);
  expect((await verify(second.token)).body.code).toBe('link_not_valid');
});

test('the rules for passwords hold for a new one too, and a refused one uses no link up', async () => {
  const user = await given.user();
  await forget(user.email);
  const { token } = await reset(user.email);
  expect((await choose(token, 'short')).body.message).toBe('Password must be at least 6 characters');
  expect((await choose(token, 'password1')).body.message).toBe('This password is too common');
  for (const wrong of ['', 'x', `${token}x`]) expect((await choose(wrong)).status).toBe(400);
  expect((await choose(token)).status).toBe(200);
});

test('known and unknown addresses get the same answer, and unknown and suspended ones no mail', async () => {
  const user = await given.user();
  const suspended = await given.user();
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', suspended._id).execute();
  const answers = await Promise.all([forget(user.email), forget('nobody@example.org'), forget(suspended.email)]);
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1);
  expect(answers[0]?.status).toBe(200);
  expect((await reset('nobody@example.org')).count).toBe(0);
  expect((await reset(suspended.email)).count).toBe(0);
  expect((await reset(user.email)).count).toBe(1);
});

test('somebody who was suspended after the link was sent does not come in by it', async () => {
  const user = await given.user();
  await forget(user.email);
  const { token } = await reset(user.email);
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute();
  expect((await choose(token)).body.code).toBe('link_not_valid');
});

test('one network may ask thirty times an hour', async () => {
  const asked = from('203.0.113.9');
  for (let at = 0; at < 30; at += 1) expect((await asked.post('/auth/forgot-password', { email: 'nobody@example.org' })).status).toBe(200);
  expect((await asked.post('/auth/forgot-password', { email: 'nobody@example.org' })).status).toBe(429);
  expect((await from('203.0.113.10').post('/auth/forgot-password', { email: 'nobody@example.org' })).status).toBe(200);
});
