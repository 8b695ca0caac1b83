import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { getAccountLinks } from '@handwise/sandbox/testing/account-links';
import { testApp } from '@handwise/sandbox/testing/app';
import { TestPasskey } from '@handwise/sandbox/testing/passkey';

const tested = await testApp();
const { callers, given, db, outbox } = tested;
const { confirmation, verify, isConfirmed, endLinks, lifeOf } = getAccountLinks(tested);
const { mailed } = outbox;
const { clock } = tested.parts;
const { asVisitor, as, from } = callers;

const reset = (email: string) => mailed(email, /^Choose a new password/);
const choose = (token: string, password = 'kererū-in-the-tree') => asVisitor.post('/auth/reset-password', { token, password });
const forget = (email: string) => asVisitor.post('/auth/forgot-password', { email });

test('accepts a reset link for an hour', async () => {
  const user = await given.user();
  await outbox.runJobs();
  await db.deleteFrom('account_links').execute();
  await forget(user.email);
  const { token } = await reset(user.email);
  expect(Math.round((await lifeOf(user._id)) / 60_000)).toBe(60);
  await endLinks(-1);
  expect((await choose(token)).body.code).toBe('link_not_valid');
});

test('resets the password once per link, ends every session and link, and emails the owner', async () => {
  const user = await given.user();
  const login = (password: string) => asVisitor.post('/auth/login', { email: user.email, password });
  await forget(user.email);
  const old = (await reset(user.email)).token;
  await forget(user.email.toUpperCase());
  const { count, url, token } = await reset(user.email);
  expect([count, url.split('?')[0]]).toEqual([2, 'http://localhost:3000/auth/reset']);

  const answers = await Promise.all(Array.from({ length: 8 }, () => choose(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const session = answers.find(({ status }) => status === 200)?.body.data;
  expect((await as(session).get('/auth/session')).body.data._id).toBe(user._id);
  expect((await as(user).get('/auth/session')).status).toBe(401);
  expect((await choose(old)).body.code).toBe('link_not_valid');
  expect((await login('correct-horse')).status).toBe(401);
  expect((await login('kererū-in-the-tree')).status).toBe(200);
  expect((await mailed(user.email, /was changed$/)).count).toBe(1);
  // Only two devices are known now: the one that reset the password and the one that has signed in since.
  const devices = await db.selectFrom('devices').select('token_hash').where('user_id', '=', user._id).execute();
  expect(devices).toHaveLength(2);
  // Using the link proves access to the address.
  expect(await isConfirmed(user._id)).toBe(true);
  const logged = await db.selectFrom('audit_log').select(['actor_id', 'after']).where('subject_id', '=', user._id).execute();
  expect(logged).toContainEqual({ actor_id: user._id, after: expect.objectContaining({ password_hash: 'changed' }) });
});

test('rejects a link for another purpose', async () => {
  const user = await given.user();
  const { token } = await confirmation(user.email);
  expect((await choose(token)).body.code).toBe('link_not_valid');
  await forget(user.email);
  const second = await reset(user.email);
  expect((await verify(second.token)).body.code).toBe('link_not_valid');
});

test('rejects a weak new password without using up the link', async () => {
  const user = await given.user();
  await forget(user.email);
  const { token } = await reset(user.email);
  expect((await choose(token, 'short')).body.message).toBe('Password must be at least 6 characters');
  expect((await choose(token, 'password1')).body.message).toBe('This password is too common');
  for (const wrong of ['', 'x', `${token}x`]) expect((await choose(wrong)).status).toBe(400);
  expect((await choose(token)).status).toBe(200);
});

test('answers known and unknown addresses alike, and emails neither unknown nor suspended accounts', async () => {
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

test('rejects the link of an account suspended after it was sent', async () => {
  const user = await given.user();
  await forget(user.email);
  const { token } = await reset(user.email);
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute();
  expect((await choose(token)).body.code).toBe('link_not_valid');
});

test('limits a network to thirty requests an hour', async () => {
  const client = from('203.0.113.9');
  for (let at = 0; at < 30; at += 1) expect((await client.post('/auth/forgot-password', { email: 'nobody@example.org' })).status).toBe(200);
  expect((await client.post('/auth/forgot-password', { email: 'nobody@example.org' })).status).toBe(429);
  expect((await from('203.0.113.10').post('/auth/forgot-password', { email: 'nobody@example.org' })).status).toBe(200);
});

const ofNow = () => Math.floor(clock.now().getTime() / 1000);
/** Sets a passkey, an authenticator app and recovery codes up, as could be done before addresses had to be confirmed for it. */
async function withCredentials() {
  const user = await given.member();
  const passkey = new TestPasskey();
  const { options } = (await as(user).post('/auth/passkeys/options')).body;
  expect((await as(user).post('/auth/passkeys', { answer: passkey.make(options) })).status).toBe(201);
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const app = await as(user).post('/auth/authenticator/confirm', { code: generateSync({ secret, epoch: ofNow() }) });
  expect(app.status).toBe(200);
  return { user, passkey };
}
async function resetOf(email: string) {
  await forget(email);
  const { token } = await reset(email);
  return choose(token);
}
const newestMail = async (email: string, subject: RegExp) => {
  await outbox.runJobs();
  return JSON.stringify((await outbox.mails()).findLast((mail) => mail.to === email && subject.test(mail.subject)));
};

test('removes all other credentials when the reset confirms the address for the first time', async () => {
  const { user, passkey } = await withCredentials();
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', user._id).execute();
  const waiting = (await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' })).body.secondStep.token;

  const { status, body } = await resetOf(user.email);
  expect([status, body.credentialsEnded, body.data.emailConfirmed]).toEqual([200, true, true]);
  expect((await as(body.data).get('/auth/security')).body).toEqual({
    authenticator: false,
    recoveryCodesLeft: 0,
    passkeys: [],
    identities: [],
    hasPassword: true,
  });
  expect((await as(user).get('/auth/session')).status).toBe(401);
  const { options } = (await asVisitor.post('/auth/login/passkey/options')).body;
  expect((await asVisitor.post('/auth/login/passkey', { answer: passkey.use(options) })).body.code).toBe('passkey_refused');
  expect((await asVisitor.post('/auth/login/second-step', { token: waiting, code: '123456' })).body.code).toBe('sign_in_over');
  expect(await newestMail(user.email, /^Choose a new password/)).toContain('removes every passkey');
  expect(await newestMail(user.email, /was changed$/)).toContain('This address had never been confirmed. We removed every passkey');
});

test('keeps passkeys and the second step of an account with a confirmed address', async () => {
  const { user } = await withCredentials();
  const { body } = await resetOf(user.email);
  expect(body).toEqual({ secondStep: { token: expect.any(String), methods: ['code', 'recoveryCode', 'passkey'] } });
  expect(await db.selectFrom('passkeys').select('id').where('user_id', '=', user._id).execute()).toHaveLength(1);
  expect(await newestMail(user.email, /^Choose a new password/)).not.toContain('never been confirmed');
  expect(await newestMail(user.email, /was changed$/)).not.toContain('never been confirmed');
});

test('adds no passkey and no authenticator app to an unconfirmed account', async () => {
  const user = await given.user();
  // Started while the address was still confirmed.
  await given.confirmed(user);
  const { options } = (await as(user).post('/auth/passkeys/options')).body;
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', user._id).execute();

  const answers = [
    await as(user).post('/auth/passkeys/options'),
    await as(user).post('/auth/passkeys', { answer: new TestPasskey().make(options) }),
    await as(user).post('/auth/authenticator'),
    await as(user).post('/auth/authenticator/confirm', { code: generateSync({ secret, epoch: ofNow() }) }),
  ];
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['403 address_not_confirmed']));
  expect((await as(user).get('/auth/security')).body).toEqual({
    authenticator: false,
    recoveryCodesLeft: 0,
    passkeys: [],
    identities: [],
    hasPassword: true,
  });
});
