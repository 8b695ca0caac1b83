import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { deleteExpired } from './accounts.jobs.ts';

const { callers, given, db, outbox, parts } = await testApp();
const { asVisitor, as, from } = callers;

const hour = 3_600_000;
const requestChange = (user: { token: string }, email: string, currentPassword = 'correct-horse') =>
  as(user).put('/auth/email', { email, currentPassword });
const verify = (token: string) => asVisitor.post('/auth/verify-email', { token });
const me = async (user: { token: string }) => (await as(user).get('/auth/me')).body.data;
const logIn = (email: string) => asVisitor.post('/auth/login', { email, password: 'correct-horse' });

/** The emails of this kind to an address, oldest first, and the token in the newest. */
async function mailed(to: string, subject: string) {
  await outbox.runJobs();
  const mails = (await outbox.mails()).filter((mail) => mail.to === to && mail.subject.startsWith(subject));
  const button = mails.at(-1)?.blocks.find((block) => block.kind === 'button');
  return { mails, token: new URL(button?.url ?? 'http://nowhere').searchParams.get('token') ?? '' };
}
const newAddress = (to: string) => mailed(to, 'Confirm your new email address');

test('changes the address only once the link is used, and emails both addresses', async () => {
  const user = await given.user({ email: 'old@example.org' });
  const answer = await requestChange(user, 'New@example.org');
  expect([answer.status, answer.body.data]).toEqual([200, await me(user)]);
  expect(answer.body.data).toMatchObject({ email: 'old@example.org', pendingEmail: 'New@example.org' });
  expect((await logIn('new@example.org')).status).toBe(401);
  const { mails, token } = await newAddress('New@example.org');
  expect(mails).toHaveLength(1);
  // The reader may be a stranger, so the email contains nothing of the account.
  expect(JSON.stringify(mails)).not.toContain('Mere');
  expect((await mailed('old@example.org', 'Your account on Handwise is getting a new')).mails).toHaveLength(1);
  expect((await mailed('old@example.org', 'Your account on Handwise has a new')).mails).toHaveLength(0);

  const answers = await Promise.all(Array.from({ length: 8 }, () => verify(token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'link_not_valid')).toHaveLength(7);
  expect(await me(user)).toMatchObject({ email: 'New@example.org', emailConfirmed: true, pendingEmail: null });
  expect((await logIn('new@example.org')).status).toBe(200);
  expect((await logIn('old@example.org')).status).toBe(401);
  expect((await mailed('old@example.org', 'Your account on Handwise has a new')).mails).toHaveLength(1);
  // The old one is free again.
  expect((await given.user({ email: 'old@example.org' })).email).toBe('old@example.org');
});

test('logs the change with the member as its actor and without the addresses', async () => {
  const user = await given.user();
  await requestChange(user, 'logged@example.org');
  await verify((await newAddress('logged@example.org')).token);
  const entries = await db.selectFrom('audit_log').select(['actor_id', 'after']).where('subject_id', '=', user._id).execute();
  expect(entries.at(-1)).toEqual({ actor_id: user._id, after: { email: 'changed', email_confirmed_at: expect.any(String) } });
});

test('requires the password and counts wrong ones towards the sign-in limit', async () => {
  const user = await given.user();
  const wrong = await requestChange(user, 'not-yet@example.org', 'wrong-horse');
  expect([wrong.status, wrong.body.errors]).toEqual([400, [{ field: 'currentPassword', message: 'Current password is incorrect' }]]);
  const none = await as(user).put('/auth/email', { email: 'not-yet@example.org' });
  expect(none.body.errors).toEqual([{ field: 'currentPassword', message: 'Current password is required' }]);
  const attacker = from('198.51.100.9', { authorization: `Bearer ${user.token}` });
  const guess = (at: number) => attacker.put('/auth/email', { email: 'not-yet@example.org', currentPassword: `wrong-${at}` });
  for (let at = 0; at < 9; at += 1) expect((await guess(at)).status).toBe(400);
  expect((await guess(9)).status).toBe(429);
  expect(await me(user)).toMatchObject({ email: user.email, pendingEmail: null });
  expect((await newAddress('not-yet@example.org')).mails).toHaveLength(0);
});

test('rejects the current address, a taken one and an invalid one with a field error', async () => {
  const user = await given.user({ email: 'mine@example.org' });
  await given.user({ email: 'theirs@example.org' });
  const rejected = async (email: string) => {
    const { status, body } = await requestChange(user, email);
    return [status, body.errors];
  };
  expect(await rejected('MINE@example.org')).toEqual([400, [{ field: 'email', message: 'This is already your address' }]]);
  expect(await rejected('Theirs@example.org')).toEqual([
    409,
    [{ field: 'email', message: 'An account with this email already exists. Sign in instead.' }],
  ]);
  expect(await rejected('nobody')).toEqual([400, [{ field: 'email', message: 'Invalid email format' }]]);
  expect(await rejected('')).toEqual([400, [{ field: 'email', message: 'Email is required' }]]);
  expect((await me(user)).pendingEmail).toBeNull();
});

test('keeps the old address when another account registers with the new one first', async () => {
  const user = await given.user();
  await requestChange(user, 'contested@example.org');
  const { token } = await newAddress('contested@example.org');
  await given.user({ email: 'contested@example.org' });
  expect((await verify(token)).body.code).toBe('email_taken');
  expect((await me(user)).email).toBe(user.email);
});

test('rejects the link of a change that was cancelled, replaced or is a day old', async () => {
  const user = await given.user();
  await requestChange(user, 'first@example.org');
  const first = (await newAddress('first@example.org')).token;
  await requestChange(user, 'second@example.org');
  expect((await verify(first)).body.code).toBe('link_not_valid');
  const second = (await newAddress('second@example.org')).token;
  const back = await as(user).delete('/auth/email');
  expect([back.status, back.body.data.pendingEmail]).toEqual([200, null]);
  expect((await verify(second)).body.code).toBe('link_not_valid');

  await requestChange(user, 'third@example.org');
  const third = (await newAddress('third@example.org')).token;
  const { expires_at } = await db.selectFrom('address_changes').selectAll().where('user_id', '=', user._id).executeTakeFirstOrThrow();
  expect(Math.round((expires_at.getTime() - Date.now()) / hour)).toBe(24);
  await db
    .updateTable('address_changes')
    .set({ expires_at: new Date(Date.now() - 1) })
    .execute();
  expect((await me(user)).pendingEmail).toBeNull();
  expect((await verify(third)).body.code).toBe('link_not_valid');
  await requestChange(await given.user(), 'fourth@example.org');
  await deleteExpired(parts.context);
  expect(await db.selectFrom('address_changes').select('email').execute()).toEqual([{ email: 'fourth@example.org' }]);
  expect((await me(user)).email).toBe(user.email);
});

test('invalidates links sent to the old address once the new one is confirmed', async () => {
  const user = await given.user();
  await asVisitor.post('/auth/forgot-password', { email: user.email });
  const reset = (await mailed(user.email, 'Choose a new password')).token;
  const confirm = (await mailed(user.email, 'Confirm your email address')).token;
  await requestChange(user, 'moved@example.org');
  await verify((await newAddress('moved@example.org')).token);
  expect((await verify(confirm)).body.code).toBe('link_not_valid');
  expect((await asVisitor.post('/auth/reset-password', { token: reset, password: 'kowhai-blossom' })).body.code).toBe('link_not_valid');
  expect(await db.selectFrom('account_links').select('purpose').where('user_id', '=', user._id).execute()).toEqual([]);
});

test('rejects the link when the account is suspended', async () => {
  const user = await given.user();
  await requestChange(user, 'away@example.org');
  const { token } = await newAddress('away@example.org');
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute();
  expect((await verify(token)).body.code).toBe('link_not_valid');
  expect(await db.selectFrom('users').select('email').where('id', '=', user._id).execute()).toEqual([{ email: user.email }]);
});

test('limits changes per account and emails per mailbox, and cancels only the caller’s change', async () => {
  const user = await given.user();
  const other = await given.user();
  await requestChange(other, 'others@example.org');
  for (let at = 0; at < 10; at += 1) expect((await requestChange(user, `many-${at}@example.org`)).status).toBe(200);
  expect((await requestChange(user, 'many-10@example.org')).status).toBe(429);
  expect((await newAddress('many-0@example.org')).mails[0]?.limit).toEqual({ kind: 'account.new-address', perHour: 3 });
  await as(user).delete('/auth/email');
  expect((await me(other)).pendingEmail).toBe('others@example.org');
  expect((await asVisitor.put('/auth/email', { email: 'x@example.org', currentPassword: 'correct-horse' })).status).toBe(401);
  expect((await asVisitor.delete('/auth/email')).status).toBe(401);
});

test('stores only a hash of the link’s token', async () => {
  const user = await given.user();
  await requestChange(user, 'hashed@example.org');
  const { token } = await newAddress('hashed@example.org');
  const { token_hash } = await db
    .selectFrom('address_changes')
    .select('token_hash')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect((await verify(token_hash.toString('base64url'))).body.code).toBe('link_not_valid');
});

test('returns at sign-in whether the address is confirmed', async () => {
  const user = await given.user();
  expect(user.emailConfirmed).toBe(false);
  await requestChange(user, 'confirmed@example.org');
  await verify((await newAddress('confirmed@example.org')).token);
  expect((await logIn('confirmed@example.org')).body.data.emailConfirmed).toBe(true);
  expect((await as(user).get('/auth/session')).body.data.emailConfirmed).toBe(true);
});

const endedMails = (to: string) => mailed(to, 'This address will not become');
const changedMails = (to: string) => mailed(to, 'Your password on Handwise was changed');

test('cancels a pending change on a password reset and emails both addresses', async () => {
  const user = await given.user();
  await requestChange(user, 'thief@example.org');
  const { token } = await newAddress('thief@example.org');
  await asVisitor.post('/auth/forgot-password', { email: user.email });
  const reset = (await mailed(user.email, 'Choose a new password')).token;
  const { body } = await asVisitor.post('/auth/reset-password', { token: reset, password: 'kowhai-blossom' });
  expect((await me(body.data)).pendingEmail).toBeNull();
  expect((await verify(token)).body.code).toBe('link_not_valid');
  expect((await me(body.data)).email).toBe(user.email);

  const [toOwner, toOther] = [await changedMails(user.email), await endedMails('thief@example.org')];
  expect(JSON.stringify(toOwner.mails)).toContain('A new email address had been asked for. That is cancelled');
  expect(toOther.mails).toHaveLength(1);
  expect(JSON.stringify([toOwner.mails, toOther.mails])).not.toMatch(/Mere|thief@example\.org.*thief@example\.org/);
});

test('cancels a pending change on a password change, without mentioning an expired one', async () => {
  const user = await given.user();
  await requestChange(user, 'pending@example.org');
  const { token } = await newAddress('pending@example.org');
  const change = (session: { token: string }, currentPassword: string, password: string) =>
    as(session).put('/auth/update', { password, currentPassword });
  const { body } = await change(user, 'correct-horse', 'kowhai-blossom');
  expect(body.data.pendingEmail).toBeNull();
  expect((await verify(token)).body.code).toBe('link_not_valid');
  expect((await endedMails('pending@example.org')).mails).toHaveLength(1);

  await requestChange(body.data, 'expired@example.org', 'kowhai-blossom');
  await db
    .updateTable('address_changes')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('email', '=', 'expired@example.org')
    .execute();
  expect((await change(body.data, 'kowhai-blossom', 'rimu-and-kauri')).status).toBe(200);
  expect((await endedMails('expired@example.org')).mails).toHaveLength(0);
  const { mails } = await changedMails(user.email);
  expect(mails.map((mail) => JSON.stringify(mail).includes('That is cancelled'))).toEqual([true, false]);
});

test('lets only one of a concurrent reset and address confirmation succeed', async () => {
  for (let round = 0; round < 8; round += 1) {
    const user = await given.user();
    await requestChange(user, `race-${round}@example.org`);
    const { token } = await newAddress(`race-${round}@example.org`);
    await asVisitor.post('/auth/forgot-password', { email: user.email });
    const reset = (await mailed(user.email, 'Choose a new password')).token;
    const confirm = (await mailed(user.email, 'Confirm your email address')).token;
    const answers = await Promise.all([
      verify(token),
      asVisitor.post('/auth/reset-password', { token: reset, password: 'kowhai-blossom' }),
      verify(confirm),
    ]);
    const [changed, chosen, confirmed] = answers.map(({ body }) => body.code ?? 'done');
    expect(new Set([changed, chosen])).toEqual(new Set(['done', 'link_not_valid']));
    expect(confirmed).toMatch(/^(done|link_not_valid)$/);
  }
});

test('rejects a request that used the old password and waited while a new one was set', async () => {
  const user = await given.user();
  const requests = await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ password_hash: 'another' }).where('id', '=', user._id).execute();
    const waiting = Promise.all([
      requestChange(user, 'late@example.org'),
      as(user).put('/auth/update', { password: 'kowhai-blossom', currentPassword: 'correct-horse' }),
    ]);
    await untilLockWaits(db, 2);
    return { waiting };
  });
  for (const { status, body } of await requests.waiting) expect([status, body.message]).toEqual([400, 'Current password is incorrect']);
  expect((await newAddress('late@example.org')).mails).toHaveLength(0);
});
