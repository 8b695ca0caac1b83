import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { deleteChallenges } from './sign-in.queries.ts';

const { callers, given, db, outbox, parts } = await testApp();
const { as, asVisitor, from } = callers;
const { clock, context, logged } = parts;

const minute = 60_000;
const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

type User = { _id: string; email: string; token: string };
/** The code that an app shows this many steps of 30 seconds from now. */
const codeOf = (secret: string, steps = 0) => generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) + steps * 30 });
/** Sets the clock to the middle of a step, so that none ends during a test, and later than every used code. */
let steps = 10;
function nextStep() {
  steps += 3;
  clock.set(new Date((Math.floor(Date.now() / 30_000) + steps + 0.3) * 30_000));
}
async function withApp() {
  nextStep();
  const user = (await given.member()) as User;
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const { status, body } = await as(user).post('/auth/authenticator/confirm', { code: codeOf(secret) });
  expect(status).toBe(200);
  nextStep();
  return { user, secret: secret as string, recoveryCodes: body.recoveryCodes as string[] };
}
const logIn = (user: User, headers: Record<string, string> = {}) =>
  from('127.0.0.1', headers).post('/auth/login', { email: user.email, password: 'correct-horse' });
const confirm = (user: User, answer: object) => as(user).post('/auth/confirm-identity', { password: 'correct-horse', ...answer });
const firstStep = async (user: User) => (await logIn(user)).body.secondStep.token as string;
const finish = (token: string, answer: object) => asVisitor.post('/auth/login/second-step', { token, ...answer });
const count = (statuses: readonly { status: number }[], one: number) => statuses.filter(({ status }) => status === one).length;
const mailsTo = async (user: User, subject: RegExp) =>
  (await outbox.mails()).filter((mail) => mail.to === user.email && subject.test(mail.subject));
const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

test('requires a code after the password once the app is confirmed', async () => {
  nextStep();
  const user = await given.member();
  const { body: setUp } = await as(user).post('/auth/authenticator');
  expect(setUp.uri).toBe(`otpauth://totp/Handwise:${encodeURIComponent(user.email)}?secret=${setUp.secret}&issuer=Handwise`);
  expect((await logIn(user)).body.data._id).toBe(user._id);
  const wrong = await as(user).post('/auth/authenticator/confirm', { code: wrongOf(codeOf(setUp.secret)) });
  expect([wrong.status, wrong.body.errors[0]?.field]).toEqual([400, 'code']);
  expect((await logIn(user)).body.data._id).toBe(user._id);
  expect((await as(user).get('/auth/security')).body).toMatchObject({ authenticator: false, recoveryCodesLeft: 0 });

  const confirmed = await as(user).post('/auth/authenticator/confirm', { code: codeOf(setUp.secret) });
  expect(confirmed.body.recoveryCodes).toHaveLength(10);
  expect((await as(user).get('/auth/security')).body).toMatchObject({ authenticator: true, recoveryCodesLeft: 10 });
  const first = await logIn(user);
  expect(first.status).toBe(200);
  expect(first.body).toEqual({ secondStep: { token: expect.stringMatching(/^[\w-]{43}$/), methods: ['code', 'recoveryCode'] } });
  nextStep();
  const { secondStep } = (await logIn(user)).body;
  const session = await finish(secondStep.token, { code: codeOf(setUp.secret) });
  // The cookie that restores the session comes with the session, not with the first step.
  expect(String(session.headers['set-cookie'])).toMatch(/^restore=[\w-]{43};/);
  expect(session.body.data._id).toBe(user._id);
  expect(session.body.device).toMatch(/^[\w-]{43}$/);
  expect((await as(session.body.data).get('/auth/session')).status).toBe(200);
});

test('rejects the token of a first step as a session or device', async () => {
  const { user } = await withApp();
  const before = await db.selectFrom('sessions').select('id').where('user_id', '=', user._id).execute();
  const token = await firstStep(user);
  expect((await as({ token }).get('/auth/session')).status).toBe(401);
  expect(await db.selectFrom('sessions').select('id').where('user_id', '=', user._id).execute()).toHaveLength(before.length);
  expect(await db.selectFrom('devices').select('user_id').where('user_id', '=', user._id).execute()).toHaveLength(1);
});

test('starts one session for fifty concurrent uses of a code', async () => {
  const { user, secret } = await withApp();
  const token = await firstStep(user);
  const same = await Promise.all(Array.from({ length: 50 }, () => finish(token, { code: codeOf(secret) })));
  expect(count(same, 200)).toBe(1);
  expect(count(same, 401) + count(same, 429)).toBe(49);

  nextStep();
  const tokens = await Promise.all(Array.from({ length: 8 }, () => firstStep(user)));
  const many = await Promise.all(tokens.map((one) => finish(one, { code: codeOf(secret) })));
  expect([count(many, 200), count(many, 400)]).toEqual([1, 7]);
});

test('rejects a used code and earlier ones, also in another sign-in', async () => {
  const { user, secret } = await withApp();
  const code = codeOf(secret, 0);
  expect((await finish(await firstStep(user), { code: codeOf(secret, -1) })).status).toBe(200);
  expect((await finish(await firstStep(user), { code })).status).toBe(200);
  expect((await finish(await firstStep(user), { code })).status).toBe(400);
  expect((await finish(await firstStep(user), { code: codeOf(secret, -1) })).status).toBe(400);
  expect((await finish(await firstStep(user), { code: codeOf(secret, 1) })).status).toBe(200);
});

test('rejects the code that confirmed the app', async () => {
  nextStep();
  const user = await given.member();
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const code = codeOf(secret);
  await as(user).post('/auth/authenticator/confirm', { code });
  expect((await finish(await firstStep(user), { code })).status).toBe(400);
});

test('tolerates a clock skew of one time step', async () => {
  const { user, secret } = await withApp();
  for (const [ahead, status] of [
    [-2, 400],
    [2, 400],
    [-1, 200],
    [1, 200],
  ] as const) {
    expect([ahead, (await finish(await firstStep(user), { code: codeOf(secret, ahead) })).status]).toEqual([ahead, status]);
  }
});

test('rejects the right code after ten wrong ones in 15 minutes over all networks, also in a new sign-in', async () => {
  const { user, secret } = await withApp();
  const token = await firstStep(user);
  const right = codeOf(secret);
  const guesses = await Promise.all(
    Array.from({ length: 14 }, (_, index) =>
      from(`203.0.113.${index}`).post('/auth/login/second-step', {
        token,
        code: String((Number(right) + 1000 + index) % 1_000_000).padStart(6, '0'),
      }),
    ),
  );
  expect([count(guesses, 400), count(guesses, 429)]).toEqual([10, 4]);
  expect((await finish(token, { code: right })).status).toBe(429);
  expect((await finish(await firstStep(user), { code: right })).status).toBe(429);
  const limits = await db
    .selectFrom('attempts')
    .select(['key', 'count'])
    .where('key', 'like', `second-step%${user._id}`)
    .orderBy('key')
    .execute();
  expect(limits.map(({ count: counted }) => counted)).toEqual([10, 10]);
});

test('rejects the right code after fifty wrong ones in a day', async () => {
  const { user, secret } = await withApp();
  const key = `second-step-day:${user._id}`;
  await finish(await firstStep(user), { code: wrongOf(codeOf(secret)) });
  await db.updateTable('attempts').set({ count: 49 }).where('key', '=', key).execute();
  expect((await finish(await firstStep(user), { code: wrongOf(codeOf(secret)) })).status).toBe(400);
  const rejected = await finish(await firstStep(user), { code: codeOf(secret) });
  expect(rejected.status).toBe(429);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(20 * 3600);
});

test('counts wrong codes during setup towards the same limits', async () => {
  nextStep();
  const user = await given.member();
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const code = wrongOf(codeOf(secret));
  const guesses = await Promise.all(Array.from({ length: 12 }, () => as(user).post('/auth/authenticator/confirm', { code })));
  expect([count(guesses, 400), count(guesses, 429)]).toEqual([10, 2]);
});

test('expires the second step after ten minutes, and when the account is suspended', async () => {
  const { user, secret } = await withApp();
  const at = clock.now().getTime();
  const [late, inTime] = [await firstStep(user), await firstStep(user)];
  clock.set(new Date(at + 9.5 * minute));
  expect((await finish(inTime, { code: codeOf(secret) })).status).toBe(200);
  clock.set(new Date(at + 10.6 * minute));
  const over = await finish(late, { code: codeOf(secret) });
  expect([over.status, over.body.code]).toEqual([401, 'sign_in_over']);

  steps += 30;
  nextStep();
  const token = await firstStep(user);
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute();
  expect((await finish(token, { code: codeOf(secret) })).body.code).toBe('sign_in_over');
});

test('deletes expired sign-ins within an hour and no others', async () => {
  const { user, secret } = await withApp();
  await db.deleteFrom('sign_in_challenges').execute();
  await firstStep(user);
  clock.set(new Date(clock.now().getTime() + 10 * minute));
  const token = await firstStep(user);
  await db.transaction().execute((tx) => context.jobs.send(tx, defineJob('sign-in.delete-expired-data'), {}));
  await outbox.runJobs();
  expect(await db.selectFrom('sign_in_challenges').select('purpose').execute()).toEqual([{ purpose: 'second-step' }]);
  expect((await finish(token, { code: codeOf(secret) })).status).toBe(200);
});

test('rejects a made-up sign-in and one without an answer', async () => {
  const { user } = await withApp();
  expect((await finish('x'.repeat(43), { code: '123456' })).body.code).toBe('sign_in_over');
  expect((await finish('x', { code: '123456' })).status).toBe(400);
  const token = await firstStep(user);
  expect((await finish(token, {})).status).toBe(400);
  for (const code of ['', '12345', '1234567', 'abcdef', '１２３４５６']) expect((await finish(token, { code })).status).toBe(400);
});

test('accepts each of ten recovery codes once, in any spelling, and emails the owner', async () => {
  const { user, recoveryCodes } = await withApp();
  expect(new Set(recoveryCodes)).toHaveLength(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJKMNP-TV-Z2-9]{6}(-[A-HJKMNP-TV-Z2-9]{6}){3}$/);
  const [first = '', second = ''] = recoveryCodes;
  const tokens = await Promise.all(Array.from({ length: 8 }, () => firstStep(user)));
  const answers = await Promise.all(tokens.map((token) => finish(token, { recoveryCode: first })));
  expect([count(answers, 200), count(answers, 400)]).toEqual([1, 7]);
  const again = await finish(await firstStep(user), { recoveryCode: first });
  expect([again.status, again.body.errors[0]?.field]).toEqual([400, 'recoveryCode']);
  const spelt = second.toLowerCase().replaceAll('-', ' ');
  expect((await finish(await firstStep(user), { recoveryCode: spelt })).status).toBe(200);
  expect((await as(user).get('/auth/security')).body.recoveryCodesLeft).toBe(8);
  expect(await mailsTo(user, /^A recovery code was used/)).toHaveLength(2);
});

test('rejects recovery codes of another user and replaced ones', async () => {
  const [one, other] = [await withApp(), await withApp()];
  expect((await finish(await firstStep(one.user), { recoveryCode: other.recoveryCodes[0] })).status).toBe(400);
  const renewed = (await as(one.user).post('/auth/recovery-codes')).body.recoveryCodes;
  expect(renewed).toHaveLength(10);
  expect((await finish(await firstStep(one.user), { recoveryCode: one.recoveryCodes[0] })).status).toBe(400);
  expect((await finish(await firstStep(one.user), { recoveryCode: renewed[9] })).status).toBe(200);
  expect((await finish(await firstStep(other.user), { recoveryCode: other.recoveryCodes[0] })).status).toBe(200);
  expect(await mailsTo(one.user, /^You have new recovery codes/)).toHaveLength(1);
});

test('offers no recovery code when none is left', async () => {
  const { user } = await withApp();
  await db.deleteFrom('recovery_codes').where('user_id', '=', user._id).execute();
  expect((await logIn(user)).body.secondStep.methods).toEqual(['code']);
});

const newPassword = 'kererū-in-the-tree';
const changePassword = (user: User) => as(user).put('/auth/update', { password: newPassword, currentPassword: 'correct-horse' });

test('a password change ends sign-ins that wait for their second step', async () => {
  const { user, secret } = await withApp();
  const token = await firstStep(user);
  expect((await changePassword(user)).status).toBe(200);
  const late = await finish(token, { code: codeOf(secret) });
  expect([late.status, late.body.code]).toEqual([401, 'sign_in_over']);
  expect(await db.selectFrom('sign_in_challenges').select('purpose').where('user_id', '=', user._id).execute()).toEqual([]);
});

/** Runs a call while the user's row is locked by a password change, which commits once the call waits or has ended. */
async function duringPasswordChange<Answer>(user: User, call: () => Promise<Answer>): Promise<Answer> {
  let isOver = false;
  let answer: Promise<Answer> | undefined;
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ password_hash: 'changed' }).where('id', '=', user._id).execute();
    await deleteChallenges(tx, user._id);
    answer = call().finally(() => (isOver = true));
    const isWaiting = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length > 0;
    };
    await expect.poll(async () => isOver || (await isWaiting())).toBe(true);
  });
  return answer as Promise<Answer>;
}

test('a sign-in that began with the old password ends with a password change beside it', async () => {
  const user = (await given.member()) as User;
  expect((await duringPasswordChange(user, () => logIn(user))).status).toBe(401);
  const second = await withApp();
  const token = await firstStep(second.user);
  const late = await duringPasswordChange(second.user, () => finish(token, { code: codeOf(second.secret) }));
  expect([late.status, late.body.code]).toEqual([401, 'sign_in_over']);
});

test('requires the second step after a password reset and ends pending sign-ins', async () => {
  const { user, secret } = await withApp();
  const pending = await firstStep(user);
  await asVisitor.post('/auth/forgot-password', { email: user.email });
  await outbox.runJobs();
  const [mail] = await mailsTo(user, /^Choose a new password/);
  const button = mail?.blocks.find((block) => block.kind === 'button');
  const token = new URL(button?.url ?? 'http://nowhere').searchParams.get('token');
  const answer = await asVisitor.post('/auth/reset-password', { token, password: newPassword });
  expect(answer.status).toBe(200);
  expect(answer.body).not.toHaveProperty('data');
  expect((await as(user).get('/auth/session')).status).toBe(401);
  expect((await finish(pending, { code: codeOf(secret) })).body.code).toBe('sign_in_over');
  expect((await finish(answer.body.secondStep.token, { code: codeOf(secret) })).body.data._id).toBe(user._id);
});

test('requires a code for confirming identity when signing in requires one', async () => {
  const { user, secret, recoveryCodes } = await withApp();
  const leave = () => as(user).delete('/auth/account', { currentPassword: 'correct-horse' });
  clock.set(new Date(clock.now().getTime() + 11 * minute));
  const expectConfirmation = async () => expect((await leave()).body.code).toBe('confirm_identity');
  await expectConfirmation();
  const alone = await confirm(user, {});
  expect([alone.status, alone.body.errors]).toEqual([400, [{ field: 'code', message: 'Enter the code from your app' }]]);
  const wrong = await confirm(user, { code: wrongOf(codeOf(secret)) });
  expect([wrong.status, wrong.body.errors[0]?.field]).toEqual([400, 'code']);
  expect((await as(user).post('/auth/confirm-identity', { password: 'wrong-horse', code: codeOf(secret) })).body.errors[0]?.field).toBe(
    'password',
  );
  await expectConfirmation();
  const [code, recoveryCode] = [codeOf(secret), recoveryCodes[0]];
  expect((await confirm(user, { code })).status).toBe(200);
  expect((await confirm(user, { code })).status).toBe(400);
  expect((await confirm(user, { recoveryCode: recoveryCode })).status).toBe(200);
  expect((await confirm(user, { recoveryCode: recoveryCode })).body.errors[0]?.field).toBe('recoveryCode');
  expect((await leave()).status).toBe(200);
});

test('counts wrong codes of a confirmation towards the sign-in limit', async () => {
  const { user, secret } = await withApp();
  const wrong = wrongOf(codeOf(secret));
  for (let at = 0; at < 10; at += 1) expect((await confirm(user, { code: wrong })).status).toBe(400);
  expect((await confirm(user, { code: codeOf(secret) })).status).toBe(429);
});

test('requires a recent confirmation of identity to change the app or recovery codes', async () => {
  const { user, secret } = await withApp();
  const plain = await given.member();
  const at = clock.now().getTime();
  const calls = (one: User) => [
    as(one).post('/auth/authenticator'),
    as(one).post('/auth/authenticator/confirm', { code: codeOf(secret) }),
    as(one).post('/auth/recovery-codes'),
    as(one).delete('/auth/authenticator'),
  ];
  clock.set(new Date(at + 15 * minute));
  for (const rejected of await Promise.all([...calls(user), ...calls(plain)])) {
    expect([rejected.status, rejected.body.code]).toEqual([403, 'confirm_identity']);
  }
  for (const rejected of await Promise.all([
    asVisitor.post('/auth/authenticator'),
    asVisitor.post('/auth/authenticator/confirm', { code: '123456' }),
    asVisitor.post('/auth/recovery-codes'),
    asVisitor.delete('/auth/authenticator'),
    asVisitor.get('/auth/security'),
  ])) {
    expect(rejected.status).toBe(401);
  }
  expect((await as(user).get('/auth/security')).body.authenticator).toBe(true);
});

test('replaces an unconfirmed app and no confirmed one', async () => {
  const { user, secret } = await withApp();
  expect((await confirm(user, { code: codeOf(secret) })).status).toBe(200);
  expect((await as(user).post('/auth/authenticator')).body.code).toBe('authenticator_exists');
  expect((await as(user).post('/auth/authenticator/confirm', { code: codeOf(secret) })).body.code).toBe('authenticator_exists');
  const other = await given.member();
  expect((await as(other).post('/auth/authenticator/confirm', { code: '123456' })).body.code).toBe('authenticator_not_found');
  const first = (await as(other).post('/auth/authenticator')).body.secret;
  const second = (await as(other).post('/auth/authenticator')).body.secret;
  expect(second).not.toBe(first);
  expect((await as(other).post('/auth/authenticator/confirm', { code: codeOf(first) })).status).toBe(400);
  expect((await as(other).post('/auth/authenticator/confirm', { code: codeOf(second) })).status).toBe(200);
});

test('deletes the app, recovery codes, passkeys and pending sign-ins with the account', async () => {
  const { user, secret } = await withApp();
  const passkey = { credential_id: 'of-who-leaves', public_key: Buffer.from('key'), counter: '0', transports: [], rp_id: 'localhost' };
  await db
    .insertInto('passkeys')
    .values({ ...passkey, user_id: user._id, name: 'Firefox', created_at: clock.now() })
    .execute();
  await firstStep(user);
  const countCredentials = async () => {
    const tables = ['authenticators', 'recovery_codes', 'passkeys', 'sign_in_challenges'] as const;
    return Promise.all(
      tables.map(async (table) => (await db.selectFrom(table).select('user_id').where('user_id', '=', user._id).execute()).length),
    );
  };
  expect(await countCredentials()).toEqual([1, 10, 1, 1]);
  expect((await confirm(user, { code: codeOf(secret) })).status).toBe(200);
  expect((await as(user).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect(await countCredentials()).toEqual([0, 0, 0, 0]);
});

test('creates recovery codes for one of many concurrent confirmations', async () => {
  nextStep();
  const user = await given.member();
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => as(user).post('/auth/authenticator/confirm', { code: codeOf(secret) })),
  );
  expect([count(answers, 200), count(answers, 409)]).toEqual([1, 7]);
  expect(await db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', user._id).execute()).toHaveLength(10);
});

test('signs in with the password alone after removing the app, and deletes its recovery codes', async () => {
  const { user } = await withApp();
  const other = await withApp();
  const removed = await from('127.0.0.1', { authorization: `Bearer ${user.token}`, ...firefox }).delete('/auth/authenticator');
  expect(removed.status).toBe(200);
  expect((await logIn(user)).body.data._id).toBe(user._id);
  expect((await as(user).get('/auth/security')).body).toMatchObject({ authenticator: false, recoveryCodesLeft: 0 });
  expect((await as(user).delete('/auth/authenticator')).body.code).toBe('authenticator_not_found');
  expect((await as(user).post('/auth/recovery-codes')).body.code).toBe('authenticator_not_found');
  expect((await as(other.user).get('/auth/security')).body).toMatchObject({ authenticator: true, recoveryCodesLeft: 10 });
  const [mail] = await mailsTo(user, /^Your authenticator app was removed/);
  expect(JSON.stringify(mail)).toMatch(/[ap]m New Zealand time, from Firefox on Linux/);
  expect(await mailsTo(user, /^An authenticator app was set up/)).toHaveLength(1);
});

test('stores and logs neither recovery codes nor sign-in tokens in clear text', async () => {
  const { user, recoveryCodes } = await withApp();
  const token = await firstStep(user);
  await finish(token, { recoveryCode: recoveryCodes[3] });
  const stored = JSON.stringify([
    await db.selectFrom('recovery_codes').selectAll().execute(),
    await db.selectFrom('sign_in_challenges').selectAll().execute(),
    await outbox.mails(),
  ]);
  for (const secret of [...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', '')), token]) {
    expect(stored).not.toContain(secret);
    expect(logged.join()).not.toContain(secret);
  }
});
