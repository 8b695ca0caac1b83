import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { TestPasskey } from '@handwise/sandbox/testing/passkey';

const { callers, given, db, outbox, parts } = await testApp();
const { as, asVisitor, from, onHost } = callers;
const { clock } = parts;

const minute = 60_000;
const nowhere = '00000000-0000-4000-8000-000000000000';

type User = { _id: string; email: string; token: string };
const mailsTo = async (user: User, subject: RegExp) =>
  (await outbox.mails()).filter((mail) => mail.to === user.email && subject.test(mail.subject));
const optionsFor = async (user: User) => (await as(user).post('/auth/passkeys/options')).body.options;
async function withPasskey() {
  const user = (await given.member()) as User;
  const passkey = new TestPasskey();
  const { status, body } = await as(user).post('/auth/passkeys', { answer: passkey.make(await optionsFor(user)) });
  expect(status).toBe(201);
  return { user, passkey, id: body.passkey._id as string };
}
const signInOptions = async () => (await asVisitor.post('/auth/login/passkey/options')).body.options;
const signIn = (answer: object) => asVisitor.post('/auth/login/passkey', { answer });
const codes = (answers: readonly { status: number; body: { code?: string } }[]) => answers.map(({ status, body }) => body.code ?? status);
async function later(ms: number, work: () => Promise<void>) {
  clock.set(new Date(Date.now() + ms));
  try {
    await work();
  } finally {
    clock.set(new Date());
  }
}

test('signs in with a passkey alone, and emails its owner when it is added', async () => {
  const { user, passkey } = await withPasskey();
  const answer = await signIn(passkey.use(await signInOptions()));
  expect([answer.status, answer.body.data._id]).toEqual([200, user._id]);
  expect((await as(answer.body.data).get('/auth/session')).status).toBe(200);
  expect(answer.body.device).toMatch(/^[\w-]{43}$/);
  expect(await mailsTo(user, /^A passkey was added/)).toHaveLength(1);
  const { passkeys } = (await as(user).get('/auth/security')).body;
  expect(passkeys).toEqual([
    { _id: expect.any(String), name: 'An unknown device', createdAt: expect.any(String), lastUsedAt: expect.any(String) },
  ]);
});

test('requests a discoverable, user-verified key for this site and excludes existing ones', async () => {
  const { user, passkey } = await withPasskey();
  expect(await optionsFor(user)).toMatchObject({
    rp: { id: 'localhost', name: 'Handwise' },
    user: { name: user.email },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [{ id: passkey.id.toString('base64url') }],
  });
  expect(await signInOptions()).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
});

test('a challenge from before a password change adds no passkey', async () => {
  const user = (await given.member()) as User;
  const options = await optionsFor(user);
  const changed = await as(user).put('/auth/update', { password: 'kererū-in-the-tree', currentPassword: 'correct-horse' });
  const late = await as(changed.body.data).post('/auth/passkeys', { answer: new TestPasskey().make(options) });
  expect([late.status, late.body.code]).toEqual([401, 'passkey_refused']);
});

test('accepts one of twenty concurrent uses of an answer', async () => {
  const { passkey } = await withPasskey();
  const answer = passkey.use(await signInOptions());
  const answers = codes(await Promise.all(Array.from({ length: 20 }, () => signIn(answer))));
  expect([answers.filter((one) => one === 200).length, answers.filter((one) => one === 'passkey_refused').length]).toEqual([1, 19]);
});

test('rejects an answer of another origin or site, for a new passkey and for signing in', async () => {
  const user = (await given.member()) as User;
  const sites = [
    { id: 'localhost', origin: 'https://evil.example' },
    { id: 'localhost', origin: 'http://localhost:4000' },
    { id: 'evil.example', origin: 'http://localhost:3000' },
  ];
  for (const site of sites) {
    const answer = new TestPasskey(site).make(await optionsFor(user));
    expect((await as(user).post('/auth/passkeys', { answer })).body.code).toBe('passkey_refused');
  }
  expect((await as(user).get('/auth/security')).body.passkeys).toEqual([]);
  const { passkey } = await withPasskey();
  const honest = passkey.site;
  for (const site of sites) {
    passkey.site = site;
    expect((await signIn(passkey.use(await signInOptions()))).body.code).toBe('passkey_refused');
  }
  passkey.site = honest;
  expect((await signIn(passkey.use(await signInOptions()))).status).toBe(200);
});

test('limits a passkey to the host it was created on', async () => {
  const { passkey, user: owner } = await withPasskey();
  const host = 'nz.localhost:3000';
  expect((await onHost(host, owner).post('/auth/passkeys/options')).body.options.excludeCredentials).toEqual([]);
  const there = onHost(host);
  const { options } = (await there.post('/auth/login/passkey/options')).body;
  expect(options.rpId).toBe('nz.localhost');
  expect((await there.post('/auth/login/passkey', { answer: passkey.use(options) })).body.code).toBe('passkey_refused');
  // Nor where a device would sign for either host with the same key.
  passkey.site = { id: 'nz.localhost', origin: 'http://nz.localhost:3000' };
  const others = (await there.post('/auth/login/passkey/options')).body.options;
  expect((await there.post('/auth/login/passkey', { answer: passkey.use(others) })).body.code).toBe('passkey_refused');

  const user = (await given.member()) as User;
  const local = new TestPasskey({ id: 'nz.localhost', origin: 'http://nz.localhost:3000' });
  const localOptions = (await onHost(host, user).post('/auth/passkeys/options')).body.options;
  expect((await onHost(host, user).post('/auth/passkeys', { answer: local.make(localOptions) })).status).toBe(201);
  const again = (await there.post('/auth/login/passkey/options')).body.options;
  expect((await there.post('/auth/login/passkey', { answer: local.use(again) })).body.data._id).toBe(user._id);
  expect(codes([await as(user).post('/auth/confirm-identity/passkey-options')])).toEqual(['passkey_not_found']);
});

test('rejects a device that was not unlocked, another key’s signature and a counter that goes backwards', async () => {
  const { passkey } = await withPasskey();
  passkey.isUnlocked = false;
  expect((await signIn(passkey.use(await signInOptions()))).body.code).toBe('passkey_refused');
  passkey.isUnlocked = true;
  expect((await signIn(passkey.use(await signInOptions()))).status).toBe(200);

  const other = new TestPasskey();
  const forged = { ...other.use(await signInOptions()), id: passkey.id.toString('base64url'), rawId: passkey.id.toString('base64url') };
  expect((await signIn(forged)).body.code).toBe('passkey_refused');

  passkey.counter = 10;
  expect((await signIn(passkey.use(await signInOptions()))).status).toBe(200);
  passkey.counter = 5;
  expect((await signIn(passkey.use(await signInOptions()))).body.code).toBe('passkey_refused');
  const user = (await given.member()) as User;
  const locked = new TestPasskey();
  locked.isUnlocked = false;
  expect((await as(user).post('/auth/passkeys', { answer: locked.make(await optionsFor(user)) })).body.code).toBe('passkey_refused');
});

test('accepts a challenge only from its user, for its purpose and within five minutes', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const options = await optionsFor(one.user);
  expect((await as(other.user).post('/auth/passkeys', { answer: new TestPasskey().make(options) })).body.code).toBe('passkey_refused');
  const confirm = (await as(one.user).post('/auth/confirm-identity/passkey-options')).body.options;
  expect((await signIn(one.passkey.use(confirm))).body.code).toBe('passkey_refused');
  expect((await signIn(one.passkey.use({ challenge: 'x'.repeat(43) }))).body.code).toBe('passkey_refused');
  expect(
    (await signIn({ ...one.passkey.use(confirm), response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' } })).body.code,
  ).toBe('passkey_refused');
  const [inTime, late] = [await signInOptions(), await signInOptions()];
  await later(4.9 * minute, async () => expect((await signIn(one.passkey.use(inTime))).status).toBe(200));
  await later(5.1 * minute, async () => expect((await signIn(one.passkey.use(late))).body.code).toBe('passkey_refused'));
});

test('confirms the identity of its own account only', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const confirm = (user: User, passkey: object) => as(user).post('/auth/confirm-identity', { passkey });
  const options = async (user: User) => (await as(user).post('/auth/confirm-identity/passkey-options')).body.options;
  await later(11 * minute, async () => {
    expect((await as(one.user).delete('/auth/sessions')).body.code).toBe('confirm_identity');
    expect((await confirm(one.user, other.passkey.use(await options(one.user)))).body.code).toBe('passkey_refused');
    expect((await confirm(one.user, one.passkey.use(await options(other.user)))).body.code).toBe('passkey_refused');
    expect((await as(one.user).delete('/auth/sessions')).body.code).toBe('confirm_identity');
    expect((await confirm(one.user, one.passkey.use(await options(one.user)))).status).toBe(200);
    expect((await as(one.user).delete('/auth/sessions')).status).toBe(200);
  });
  expect((await as(one.user).post('/auth/confirm-identity', {})).status).toBe(400);
});

test('accepts a passkey as the second step, and as the only step', async () => {
  const { user, passkey } = await withPasskey();
  const other = await withPasskey();
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const epoch = Math.floor(clock.now().getTime() / 1000);
  expect((await as(user).post('/auth/authenticator/confirm', { code: generateSync({ secret, epoch }) })).status).toBe(200);
  const begin = async () => (await asVisitor.post('/auth/login', { email: user.email, password: 'correct-horse' })).body.secondStep;
  const first = await begin();
  expect(first.methods).toEqual(['code', 'recoveryCode', 'passkey']);
  const finish = (token: string, answer: object) => asVisitor.post('/auth/login/second-step', { token, passkey: answer });
  const options = async (token: string) => (await asVisitor.post('/auth/login/second-step/passkey-options', { token })).body.options;
  expect((await options(first.token)).allowCredentials).toEqual([expect.objectContaining({ id: passkey.id.toString('base64url') })]);
  expect((await finish(first.token, other.passkey.use(await options(first.token)))).body.code).toBe('passkey_refused');
  expect((await finish(first.token, passkey.use(await signInOptions()))).body.code).toBe('passkey_refused');
  const answer = passkey.use(await options(first.token));
  const answers = codes(await Promise.all(Array.from({ length: 8 }, () => finish(first.token, answer))));
  expect(answers.filter((one) => one === 200)).toHaveLength(1);
  expect(codes([await asVisitor.post('/auth/login/second-step/passkey-options', { token: first.token })])).toEqual(['sign_in_over']);
  expect((await signIn(passkey.use(await signInOptions()))).body.data._id).toBe(user._id);
});

test('renames and removes the caller’s passkeys and does not find those of others', async () => {
  const [one, other] = [await withPasskey(), await withPasskey()];
  const path = `/auth/passkeys/${one.id}`;
  expect(codes([await as(other.user).put(path, { name: 'Mine' }), await as(other.user).delete(path)])).toEqual([
    'passkey_not_found',
    'passkey_not_found',
  ]);
  expect(codes([await asVisitor.put(path, { name: 'Mine' }), await asVisitor.delete(path)])).toEqual([
    'not_authenticated',
    'not_authenticated',
  ]);
  expect(codes([await as(one.user).put(path, { name: '' }), await as(one.user).put(path, { name: 'x'.repeat(61) })])).toEqual([
    'invalid_input',
    'invalid_input',
  ]);
  expect((await as(one.user).put(path, { name: 'My phone' })).status).toBe(200);
  expect((await as(one.user).get('/auth/security')).body.passkeys[0].name).toBe('My phone');
  expect((await as(other.user).get('/auth/security')).body.passkeys[0].name).toBe('An unknown device');
  await later(11 * minute, async () => expect((await as(one.user).delete(path)).body.code).toBe('confirm_identity'));
  expect((await as(one.user).delete(path)).status).toBe(200);
  expect((await as(one.user).delete(`/auth/passkeys/${nowhere}`)).status).toBe(404);
  expect((await signIn(one.passkey.use(await signInOptions()))).body.code).toBe('passkey_refused');
  expect((await signIn(other.passkey.use(await signInOptions()))).status).toBe(200);
  expect(await mailsTo(one.user, /^A passkey was removed/)).toHaveLength(1);
});

test('adds at most twenty passkeys, each once, and only after a recent confirmation of identity', async () => {
  const { user, passkey } = await withPasskey();
  await later(11 * minute, async () => {
    expect((await as(user).post('/auth/passkeys/options')).body.code).toBe('confirm_identity');
    expect((await as(user).post('/auth/passkeys', { answer: passkey.make({ challenge: 'x' }) })).body.code).toBe('confirm_identity');
  });
  expect((await asVisitor.post('/auth/passkeys/options')).status).toBe(401);
  expect((await as(user).post('/auth/passkeys', { answer: passkey.make(await optionsFor(user)) })).body.code).toBe('passkey_exists');
  const options = await optionsFor(user);
  await db
    .insertInto('passkeys')
    .values(
      Array.from({ length: 19 }, (_, index) => ({
        user_id: user._id,
        credential_id: `${user._id}-${index}`,
        public_key: Buffer.alloc(1),
        counter: '0',
        transports: [],
        rp_id: 'localhost',
        name: 'Key',
      })),
    )
    .execute();
  expect((await as(user).post('/auth/passkeys/options')).body.code).toBe('too_many_passkeys');
  expect((await as(user).post('/auth/passkeys', { answer: new TestPasskey().make(options) })).body.code).toBe('too_many_passkeys');
});

test('rejects a suspended user’s passkey', async () => {
  const { user, passkey } = await withPasskey();
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute();
  expect((await signIn(passkey.use(await signInOptions()))).body.code).toBe('passkey_refused');
});

test('limits a network to 600 passkey sign-in calls an hour', async () => {
  const network = from('203.0.113.77');
  await network.post('/auth/login/passkey/options');
  await db.updateTable('attempts').set({ count: 599 }).where('key', '=', 'passkey-from:203.0.113.77').execute();
  expect((await network.post('/auth/login/passkey/options')).status).toBe(200);
  expect((await network.post('/auth/login/passkey/options')).status).toBe(429);
  const { passkey } = await withPasskey();
  expect((await network.post('/auth/login/passkey', { answer: passkey.use(await signInOptions()) })).status).toBe(429);
  expect((await from('203.0.113.78').post('/auth/login/passkey/options')).status).toBe(200);
});
