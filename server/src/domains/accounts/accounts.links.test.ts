import { expect, test } from 'vitest';
import { getAccountLinks } from '@handwise/sandbox/testing/account-links';
import { testApp } from '@handwise/sandbox/testing/app';
import { deleteExpired } from './accounts.jobs.ts';

const tested = await testApp();
const { callers, given, db, outbox, parts } = tested;
const { confirmation, verify, isConfirmed, endLinks, lifeOf } = getAccountLinks(tested);
const { asVisitor, as } = callers;

const hour = 3_600_000;

test('emails one single-use confirmation link at registration, without anything that was typed', async () => {
  const user = await given.user({ fullName: 'Click Here Now' });
  expect(await isConfirmed(user._id)).toBe(false);
  const { count, url, token } = await confirmation(user.email);
  expect([count, url.split('?')[0]]).toEqual([1, 'http://localhost:3000/auth/verify']);
  expect(JSON.stringify(await outbox.mails())).not.toContain('Click Here');
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
  const outcomes = answers.map(({ status, body }) => `${status} ${body.code ?? body.message}`).toSorted();
  expect(outcomes).toEqual(['200 Your address is confirmed', ...Array(19).fill('400 link_not_valid')]);
  expect(await isConfirmed(user._id)).toBe(true);
});

test('stores only a hash of the link’s token', async () => {
  const user = await given.user();
  const { token } = await confirmation(user.email);
  const { token_hash } = await db
    .selectFrom('account_links')
    .select('token_hash')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(token_hash.toString('base64url')).not.toBe(token);
  expect((await verify(token_hash.toString('base64url'))).body.code).toBe('link_not_valid');
});

test('accepts a confirmation link for seven days', async () => {
  const user = await given.user();
  const { token } = await confirmation(user.email);
  expect(Math.round((await lifeOf(user._id)) / hour)).toBe(7 * 24);
  await endLinks(-1);
  expect((await verify(token)).body.code).toBe('link_not_valid');
  expect(await isConfirmed(user._id)).toBe(false);
});

test('confirms only the address that the link was sent to', async () => {
  const user = await given.user();
  const { token } = await confirmation(user.email);
  await db.updateTable('users').set({ email: 'moved-on@example.org' }).where('id', '=', user._id).execute();
  expect((await verify(token)).body.code).toBe('link_not_valid');
  expect(await isConfirmed(user._id)).toBe(false);
});

test('resends the link at most three times an hour, and never to a confirmed address', async () => {
  const user = await given.user();
  const again = () => as(user).post('/auth/verify-email/resend');
  expect((await again()).status).toBe(200);
  const { count, token } = await confirmation(user.email);
  expect(count).toBe(2);
  const mail = (await outbox.mails()).find((one) => one.to === user.email);
  expect(mail?.limit).toEqual({ kind: 'account.confirm', perHour: 3 });
  await verify(token);
  expect((await again()).status).toBe(200);
  expect((await confirmation(user.email)).count).toBe(2);
  expect((await asVisitor.post('/auth/verify-email/resend')).status).toBe(401);
});

test('links back to the conversation that the link was requested in', async () => {
  const user = await given.user();
  await confirmation(user.email);
  const conversation = '0196f1f0-0000-7000-8000-000000000001';
  expect((await as(user).post(`/auth/verify-email/resend?conversation=${conversation}`)).status).toBe(200);
  const { url, token } = await confirmation(user.email);
  expect(url).toBe(`http://localhost:3000/auth/verify?conversation=${conversation}&token=${token}`);
  expect((await verify(token)).status).toBe(200);
  for (const wrong of ['conversation=//evil.example', 'other=1']) {
    expect((await as(user).post(`/auth/verify-email/resend?${wrong}`)).status).toBe(400);
  }
});

test('invalidates earlier links on confirmation', async () => {
  const user = await given.user();
  const first = (await confirmation(user.email)).token;
  await as(user).post('/auth/verify-email/resend');
  const second = (await confirmation(user.email)).token;
  expect(second).not.toBe(first);
  expect((await verify(second)).status).toBe(200);
  expect((await verify(first)).body.code).toBe('link_not_valid');
});

test('deletes expired links and no others', async () => {
  await db.deleteFrom('account_links').execute();
  const [ended, holding] = [await given.user(), await given.user()];
  await confirmation(ended.email);
  await db
    .updateTable('account_links')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', ended._id)
    .execute();
  await deleteExpired(parts.context);
  expect((await db.selectFrom('account_links').select('user_id').execute()).map((row) => row.user_id)).toEqual([holding._id]);
});
