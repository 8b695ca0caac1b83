import { testApp } from '@handwise/sandbox/testing/app';
import { contractCalls } from '@handwise/sandbox/testing/calls';
import { expect, test } from 'vitest';
import { getsMails, waysToEnd } from './mail-preferences.ts';

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

test('the address in a mail ends mails of its kind in one click, without signing in, and only those of its reader', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const ways = await waysToEnd(db, site, user._id, 'messages');
  const answer = await oneClick(ways.oneClick);
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { kind: 'messages', text: 'Somebody writes to you while you are away', on: false },
  ]);
  expect((await oneClick(ways.oneClick)).statusCode).toBe(200);
  expect([await getsMails(db, user._id, 'messages'), await getsMails(db, other._id, 'messages')]).toEqual([false, true]);
  expect((await as(user).get('/mails')).body.mails).toMatchObject([
    { kind: 'messages', on: false },
    { kind: 'figures', on: true },
    { kind: 'referrals', on: true },
  ]);
  expect((await as(other).get('/mails')).body.mails).toMatchObject([
    { kind: 'messages', on: true },
    { kind: 'figures', on: true },
    { kind: 'referrals', on: true },
  ]);
  await asVisitor.post(`/mails/resume?token=${new URL(ways.oneClick).searchParams.get('token')}`);
  expect(await getsMails(db, user._id, 'messages')).toBe(true);
});

test('opening the address ends nothing and leads to a page', async () => {
  const user = await given.user();
  const { oneClick: address, page } = await waysToEnd(db, site, user._id, 'messages');
  const answer = await app.inject({ url: address.slice(site.length) });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, page]);
  expect(page.startsWith(`${site}/mails/end?token=`)).toBe(true);
  expect(await getsMails(db, user._id, 'messages')).toBe(true);
});

test('an address that somebody has changed ends nothing', async () => {
  const [user, other] = [await given.user(), await given.user()];
  const { oneClick: right } = await waysToEnd(db, site, user._id, 'messages');
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

test('one’s mails are one’s own to end', async () => {
  const [user, other] = [await given.user(), await given.user()];
  expect((await asVisitor.get('/mails')).status).toBe(401);
  expect((await asVisitor.put('/mails', { kind: 'messages', on: false })).status).toBe(401);
  expect((await as(user).put('/mails', { kind: 'receipts', on: false })).status).toBe(400);
  expect((await as(user).put('/mails', { kind: 'messages', on: false })).body.mails).toMatchObject([
    { on: false },
    { on: true },
    { on: true },
  ]);
  expect((await as(other).get('/mails')).body.mails).toMatchObject([{ on: true }, { on: true }, { on: true }]);
  expect((await as(user).put('/mails', { kind: 'messages', on: true })).body.mails).toMatchObject([
    { on: true },
    { on: true },
    { on: true },
  ]);
});

test('no call but those about mails takes a form of this type', async () => {
  const others = (await contractCalls()).filter(
    ({ method, url }) => method !== 'GET' && !/^\/(mails|alerts\/end|alerts\/resume)/.test(url),
  );
  expect(others.length).toBeGreaterThan(50);
  for (const { method, url, access } of others) {
    const { statusCode } = await app.inject({
      method,
      url: `/api${url.replaceAll(/:\w+/g, '019c0000-0000-7000-8000-000000000001')}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=mere@example.org',
    });
    // Access comes first. The webhook reads bytes of any type, and refuses them unsigned.
    const isGuarded = access === 'session' || access === 'admin';
    const refusals = url === '/stripe/webhook' ? [400] : [415, ...(isGuarded ? [401] : [])];
    expect(refusals, `${method} ${url}`).toContain(statusCode);
  }
});
