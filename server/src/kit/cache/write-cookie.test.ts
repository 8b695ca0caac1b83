import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { mayHaveWritten } from './write-cookie.ts';

const { app, given } = await testApp();
const wrote = (headers: Record<string, unknown>) =>
  [headers['set-cookie'] ?? []].flat().filter((cookie) => String(cookie).startsWith('wrote='));

test('a successful write sets a cookie for ten seconds; reads, refused writes and counted views set none', async () => {
  const { _id, token } = await given.member();
  const { id } = await given.listing();
  const session = { authorization: `Bearer ${token}`, 'user-agent': 'Mozilla/5.0' };
  const send = async (method: 'GET' | 'POST', url: string, payload?: object) => {
    const { statusCode, headers } = await app.inject({ method, url: `/api${url}`, headers: session, ...(payload && { payload }) });
    return [statusCode, wrote(headers)];
  };
  expect(await send('POST', `/listing/saved/${id}`)).toEqual([200, ['wrote=1; Path=/; Max-Age=10; HttpOnly; SameSite=Strict']]);
  expect(await send('POST', `/listing/saved/${_id}`)).toEqual([404, []]);
  expect(await send('GET', `/listing/${id}`)).toEqual([200, []]);
  expect(await send('POST', `/listing/${id}/view`)).toEqual([200, []]);
});

test('with a CDN, the cookie lasts as long as a page from before may be shown', async () => {
  const behindCdn = await testApp({ CDN_SECONDS: '60' });
  const { token } = await behindCdn.given.member();
  const { id } = await behindCdn.given.listing();
  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'Mozilla/5.0' };
  const answer = await behindCdn.app.inject({ method: 'POST', url: `/api/listing/saved/${id}`, headers });
  expect(wrote(answer.headers)).toEqual(['wrote=1; Path=/; Max-Age=180; HttpOnly; SameSite=Strict']);
});

test('the cookie and every session say that a client may have written', () => {
  expect(mayHaveWritten({ headers: {} })).toBe(false);
  expect(mayHaveWritten({ headers: { cookie: 'restore=x; signed-in=1; rewrote=1' } })).toBe(false);
  expect(mayHaveWritten({ headers: { cookie: 'wrote=1' } })).toBe(true);
  expect(mayHaveWritten({ headers: { cookie: 'signed-in=1; wrote=1' } })).toBe(true);
  expect(mayHaveWritten({ headers: { authorization: 'Bearer x' } })).toBe(true);
});
