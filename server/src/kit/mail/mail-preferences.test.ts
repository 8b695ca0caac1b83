import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { contractCalls } from '@handwise/sandbox/testing/calls';
import { isSubscribed, getUnsubscribeLinks } from './mail-preferences.ts';

const { app, db, given, callers } = await testApp();
const { as, asVisitor } = callers;
const site = 'http://localhost:3000';

const oneClick = (url: string) =>
  app.inject({
    method: 'POST',
    url: url.slice(site.length),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });

test('the link in a mail unsubscribes its reader from that kind in one click, without signing in', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const ways = await getUnsubscribeLinks(db, site, user._id, 'messages');
  const answer = await oneClick(ways.oneClick);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { kind: 'messages', text: 'Messages that arrive while you’re away', on: false },
  ]);
  expect((await oneClick(ways.oneClick)).statusCode).toBe(200);
  expect([await isSubscribed(db, user._id, 'messages'), await isSubscribed(db, other._id, 'messages')]).toEqual([false, true]);
  expect((await as(user).get('/mails')).body.mails).toMatchObject([
    { kind: 'messages', on: false },
    { kind: 'reviews', on: true },
    { kind: 'figures', on: true },
    { kind: 'referrals', on: true },
  ]);
  expect((await as(other).get('/mails')).body.mails).toMatchObject([
    { kind: 'messages', on: true },
    { kind: 'reviews', on: true },
    { kind: 'figures', on: true },
    { kind: 'referrals', on: true },
  ]);
  await asVisitor.post(`/mails/resume?token=${new URL(ways.oneClick).searchParams.get('token')}`);
  expect(await isSubscribed(db, user._id, 'messages')).toBe(true);
});

test('opening the link redirects to a page and does not unsubscribe', async () => {
  const user = await given.user();
  const { oneClick: address, page } = await getUnsubscribeLinks(db, site, user._id, 'messages');
  const answer = await app.inject({ url: address.slice(site.length) });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, page]);
  expect(page.startsWith(`${site}/mails/end?token=`)).toBe(true);
  expect(await isSubscribed(db, user._id, 'messages')).toBe(true);
});

test('a modified link does not unsubscribe', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const { oneClick: right } = await getUnsubscribeLinks(db, site, user._id, 'messages');
  const token = new URL(right).searchParams.get('token') ?? '';
  for (const wrong of [
    token.replace(user._id, other._id),
    token.replace('messages', 'receipts'),
    token.slice(0, -1),
    `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
    `${user._id}.messages.`,
  ]) {
    expect(await asVisitor.post(`/mails/end?token=${wrong}`)).toMatchObject({ status: 400, body: { code: 'link_not_valid' } });
  }
  expect((await asVisitor.post('/mails/end')).status).toBe(400);
  expect(await db.selectFrom('ended_mails').select('kind').execute()).toEqual([]);
});

test('a user changes only their own subscriptions', async () => {
  const [user, other] = [await given.user(), await given.user()];
  expect((await asVisitor.get('/mails')).status).toBe(401);
  expect((await asVisitor.put('/mails', { kind: 'messages', on: false })).status).toBe(401);
  expect((await as(user).put('/mails', { kind: 'receipts', on: false })).status).toBe(400);
  expect((await as(user).put('/mails', { kind: 'messages', on: false })).body.mails).toMatchObject([
    { on: false },
    { on: true },
    { on: true },
    { on: true },
  ]);
  expect((await as(other).get('/mails')).body.mails).toMatchObject([{ on: true }, { on: true }, { on: true }, { on: true }]);
  expect((await as(user).put('/mails', { kind: 'messages', on: true })).body.mails).toMatchObject([
    { on: true },
    { on: true },
    { on: true },
    { on: true },
  ]);
});

test('only the calls about mails accept this content type', async () => {
  const others = (await contractCalls()).filter(
    ({ method, url }) => method !== 'GET' && !/^\/(mails|alerts\/end|alerts\/resume|invitations\/refuse)/.test(url),
  );
  expect(others.length).toBeGreaterThan(50);
  for (const { method, url, access } of others) {
    const { statusCode } = await app.inject({
      method,
      url: `/api${url.replaceAll(/:\w+/g, '019c0000-0000-7000-8000-000000000001')}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=mere@example.org',
    });
    // Access is checked first. The webhook accepts any content type and rejects unsigned bodies.
    const isGuarded = access === 'session' || access === 'admin';
    const refusals = url === '/stripe/webhook' ? [400] : [415, ...(isGuarded ? [401] : [])];
    expect(refusals, `${method} ${url}`).toContain(statusCode);
  }
});
