import { testApp } from '@handwise/sandbox/testing/app';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { deleteExpired } from './accounts.jobs.ts';

const { callers, given, db, outbox, parts } = await testApp();
const { asVisitor, as, from } = callers;

const hour = 3_600_000;
const wants = (user: { token: string }, email: string, currentPassword = 'correct-horse') =>
  as(user).put('/auth/email', { email, currentPassword });
const verify = (token: string) => asVisitor.post('/auth/verify-email', { token });
const me = async (user: { token: string }) => (await as(user).get('/auth/me')).body.data;
const logIn = (email: string) => asVisitor.post('/auth/login', { email, password: 'correct-horse' });

/** The mails of this kind to somebody, oldest first, and the token in the newest. */
async function mailed(to: string, subject: string) {
  await outbox.runJobs();
  const mails = (await outbox.mails()).filter((mail) => mail.to === to && mail.subject.startsWith(subject));
  const button = mails.at(-1)?.blocks.find((block) => block.kind === 'button');
  return { mails, token: new URL(button?.url ?? 'http://nowhere').searchParams.get('token') ?? '' };
}
const newAddress = (to: string) => mailed(to, 'Confirm your new email address');

test('another address takes the place of the old one when its link is used, and not before; both are told', async () => {
  const user = await given.user({ email: 'old@example.org' });
  const answer = await wants(user, 'New@example.org');
  expect([answer.status, answer.body.data]).toEqual([200, await me(user)]);
  expect(answer.body.data).toMatchObject({ email: 'old@example.org', pendingEmail: 'New@example.org' });
  expect((await logIn('new@example.org')).status).toBe(401);
  const { mails, token } = await newAddress('New@example.org');
  expect(mails).toHaveLength(1);
  // Whoever reads it may be a stranger: nothing of the account stands in it.
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

test('the change stands in the log as the member’s own, without the addresses', async () => {
  const user = await given.user();
  await wants(user, 'logged@example.org');
  await verify((await newAddress('logged@example.org')).token);
  const entries = await db.selectFrom('audit_log').select(['actor_id', 'after']).where('subject_id', '=', user._id).execute();
  expect(entries.at(-1)).toEqual({ actor_id: user._id, after: { email: 'changed', email_confirmed_at: expect.any(String) } });
});

test('the password is asked for, and guesses at it count by the limit of signing in', async () => {
  const user = await given.user();
  const wrong = await wants(user, 'not-yet@example.org', 'wrong-horse');
  expect([wrong.status, wrong.body.errors]).toEqual([400, [{ field: 'currentPassword', message: 'Current password is incorrect' }]]);
  const none = await as(user).put('/auth/email', { email: 'not-yet@example.org' });
  expect(none.body.errors).toEqual([{ field: 'currentPassword', message: 'Current password is required' }]);
  const thief = from('198.51.100.9', { authorization: `Bearer ${user.token}` });
  const guess = (at: number) => thief.put('/auth/email', { email: 'not-yet@example.org', currentPassword: `wrong-${at}` });
  for (let at = 0; at < 9; at += 1) expect((await guess(at)).status).toBe(400);
  expect((await guess(9)).status).toBe(429);
  expect(await me(user)).toMatchObject({ email: user.email, pendingEmail: null });
  expect((await newAddress('not-yet@example.org')).mails).toHaveLength(0);
});

test('one’s own address, one that somebody has, and what is none are refused at the field', async () => {
  const user = await given.user({ email: 'mine@example.org' });
  await given.user({ email: 'theirs@example.org' });
  const refused = async (email: string) => {
    const { status, body } = await wants(user, email);
    return [status, body.errors];
  };
  expect(await refused('MINE@example.org')).toEqual([400, [{ field: 'email', message: 'This is already your address' }]]);
  expect(await refused('Theirs@example.org')).toEqual([
    409,
    [{ field: 'email', message: 'An account with this email already exists. Sign in instead.' }],
  ]);
  expect(await refused('nobody')).toEqual([400, [{ field: 'email', message: 'Invalid email format' }]]);
  expect(await refused('')).toEqual([400, [{ field: 'email', message: 'Email is required' }]]);
  expect((await me(user)).pendingEmail).toBeNull();
});

test('an address that somebody registers with meanwhile is theirs, and the account keeps its own', async () => {
  const user = await given.user();
  await wants(user, 'contested@example.org');
  const { token } = await newAddress('contested@example.org');
  await given.user({ email: 'contested@example.org' });
  expect((await verify(token)).body.code).toBe('email_taken');
  expect((await me(user)).email).toBe(user.email);
});

test('a wish that was taken back, replaced by another or is a day old is worth nothing', async () => {
  const user = await given.user();
  await wants(user, 'first@example.org');
  const first = (await newAddress('first@example.org')).token;
  await wants(user, 'second@example.org');
  expect((await verify(first)).body.code).toBe('link_not_valid');
  const second = (await newAddress('second@example.org')).token;
  const back = await as(user).delete('/auth/email');
  expect([back.status, back.body.data.pendingEmail]).toEqual([200, null]);
  expect((await verify(second)).body.code).toBe('link_not_valid');

  await wants(user, 'third@example.org');
  const third = (await newAddress('third@example.org')).token;
  const { expires_at } = await db.selectFrom('address_changes').selectAll().where('user_id', '=', user._id).executeTakeFirstOrThrow();
  expect(Math.round((expires_at.getTime() - Date.now()) / hour)).toBe(24);
  await db
    .updateTable('address_changes')
    .set({ expires_at: new Date(Date.now() - 1) })
    .execute();
  expect((await me(user)).pendingEmail).toBeNull();
  expect((await verify(third)).body.code).toBe('link_not_valid');
  await wants(await given.user(), 'fourth@example.org');
  await deleteExpired(parts.context);
  expect(await db.selectFrom('address_changes').select('email').execute()).toEqual([{ email: 'fourth@example.org' }]);
  expect((await me(user)).email).toBe(user.email);
});

test('links to the old address are worth nothing once there is a new one', async () => {
  const user = await given.user();
  await asVisitor.post('/auth/forgot-password', { email: user.email });
  const reset = (await mailed(user.email, 'Choose a new password')).token;
  const confirm = (await mailed(user.email, 'Confirm your email address')).token;
  await wants(user, 'moved@example.org');
  await verify((await newAddress('moved@example.org')).token);
  expect((await verify(confirm)).body.code).toBe('link_not_valid');
  expect((await asVisitor.post('/auth/reset-password', { token: reset, password: 'kowhai-blossom' })).body.code).toBe('link_not_valid');
  expect(await db.selectFrom('account_links').select('purpose').where('user_id', '=', user._id).execute()).toEqual([]);
});

test('a suspended account gets no new address', async () => {
  const user = await given.user();
  await wants(user, 'away@example.org');
  const { token } = await newAddress('away@example.org');
  await db.updateTable('users').set({ suspended_at: new Date() }).where('id', '=', user._id).execute();
  expect((await verify(token)).body.code).toBe('link_not_valid');
  expect(await db.selectFrom('users').select('email').where('id', '=', user._id).execute()).toEqual([{ email: user.email }]);
});

test('an account asks for ten addresses an hour, a mailbox gets three such mails, and only one’s own wishes are one’s own', async () => {
  const user = await given.user();
  const other = await given.user();
  await wants(other, 'others@example.org');
  for (let at = 0; at < 10; at += 1) expect((await wants(user, `many-${at}@example.org`)).status).toBe(200);
  expect((await wants(user, 'many-10@example.org')).status).toBe(429);
  expect((await newAddress('many-0@example.org')).mails[0]?.limit).toEqual({ kind: 'account.new-address', perHour: 3 });
  await as(user).delete('/auth/email');
  expect((await me(other)).pendingEmail).toBe('others@example.org');
  expect((await asVisitor.put('/auth/email', { email: 'x@example.org', currentPassword: 'correct-horse' })).status).toBe(401);
  expect((await asVisitor.delete('/auth/email')).status).toBe(401);
});

test('what is kept of a wish is no link', async () => {
  const user = await given.user();
  await wants(user, 'hashed@example.org');
  const { token } = await newAddress('hashed@example.org');
  const { token_hash } = await db
    .selectFrom('address_changes')
    .select('token_hash')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect((await verify(token_hash.toString('base64url'))).body.code).toBe('link_not_valid');
});

test('signing in says whether the address is confirmed', async () => {
  const user = await given.user();
  expect(user.emailConfirmed).toBe(false);
  await wants(user, 'confirmed@example.org');
  await verify((await newAddress('confirmed@example.org')).token);
  expect((await logIn('confirmed@example.org')).body.data.emailConfirmed).toBe(true);
  expect((await as(user).get('/auth/session')).body.data.emailConfirmed).toBe(true);
});

const endedMails = (to: string) => mailed(to, 'This address will not become');
const changedMails = (to: string) => mailed(to, 'Your password on Handwise was changed');

test('a password reset ends a pending change of address, and both addresses are told', async () => {
  const user = await given.user();
  await wants(user, 'thief@example.org');
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

test('a password change ends a pending change of address; one that has expired is not mentioned', async () => {
  const user = await given.user();
  await wants(user, 'pending@example.org');
  const { token } = await newAddress('pending@example.org');
  const change = (session: { token: string }, currentPassword: string, password: string) =>
    as(session).put('/auth/update', { password, currentPassword });
  const { body } = await change(user, 'correct-horse', 'kowhai-blossom');
  expect(body.data.pendingEmail).toBeNull();
  expect((await verify(token)).body.code).toBe('link_not_valid');
  expect((await endedMails('pending@example.org')).mails).toHaveLength(1);

  await wants(body.data, 'expired@example.org', 'kowhai-blossom');
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

test('of a reset and a confirmation of the pending address at the same time one succeeds, whatever else is confirmed', async () => {
  for (let round = 0; round < 8; round += 1) {
    const user = await given.user();
    await wants(user, `race-${round}@example.org`);
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

test('what was asked for with the old password, and waits while a new one is set, is refused', async () => {
  const user = await given.user();
  const asked = await db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ password_hash: 'another' }).where('id', '=', user._id).execute();
    const waiting = Promise.all([
      wants(user, 'late@example.org'),
      as(user).put('/auth/update', { password: 'kowhai-blossom', currentPassword: 'correct-horse' }),
    ]);
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      expect(rows).toHaveLength(2);
    });
    return { waiting };
  });
  for (const { status, body } of await asked.waiting) expect([status, body.message]).toEqual([400, 'Current password is incorrect']);
  expect((await newAddress('late@example.org')).mails).toHaveLength(0);
});
