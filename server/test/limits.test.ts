import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { testApp, testEnv } from '@handwise/sandbox/testing/app';

// The rate limit uses the clock of the process, which is frozen, so that a slow machine does not leave the minute.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }));
afterEach(() => void vi.useRealTimers());

const { db, app, besides, given, callers } = await testApp();
const { from } = callers;

/** Makes this many cheap calls in sequence from alternating addresses and returns how many were rejected. */
async function refusals(on: typeof app, times: number, addresses: readonly string[], headers: Record<string, string> = {}) {
  let refused = 0;
  const statuses = new Set<number>();
  for (let index = 0; index < times; index += 1) {
    const remoteAddress = addresses[index % addresses.length] ?? '';
    const { statusCode } = await on.inject({ url: '/api/plan/all', remoteAddress, headers });
    statuses.add(statusCode);
    refused += Number(statusCode === 429);
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return refused;
}

/** The same site without the exemption of local addresses. */
const outdoors = (environment: Record<string, string> = {}) => besides({ env: testEnv({ SANDBOX: '0', ...environment }) });

test('answers 1,200 calls a minute from one network, then 429 with a waiting time', async () => {
  expect(await refusals(app, 1_200, ['198.51.100.1', '::ffff:198.51.100.1'])).toBe(0);
  const refused = await app.inject({ url: '/api/plan/all', remoteAddress: '198.51.100.1' });
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({
    code: 'too_many_requests',
    message: expect.stringMatching(/^Too many attempts. Please try again in \d+ seconds?\.$/),
  });
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(await refusals(app, 1, ['198.51.100.2'])).toBe(0);
  vi.setSystemTime(Date.now() + 60_000);
  expect(await refusals(app, 1_210, ['198.51.100.1'])).toBe(10);
});

test('all addresses of an IPv6 network share the limit, regardless of headers', async () => {
  const addresses = Array.from({ length: 50 }, (_, index) => `2001:db8:5:6:${index}::${index + 1}`);
  expect(await refusals(app, 1_210, addresses, { 'x-internal': 'true', 'x-forwarded-for': '203.0.113.5' })).toBe(10);
  expect(await refusals(app, 1, ['2001:db8:5:7::1'])).toBe(0);
});

test('does not limit loopback in the sandbox only', async () => {
  expect(await refusals(app, 1_210, ['127.0.0.1', '::1', '::ffff:127.0.0.1'])).toBe(0);
  const server = await outdoors();
  expect(await refusals(server, 1_210, ['127.0.0.1'])).toBe(10);
  await server.close();
});

test('limits MCP to 120 messages a minute per network, regardless of tools, addresses and headers', async () => {
  const methods = ['tools/list', 'notifications/initialized', 'no/such/method', 'tools/call'];
  const statuses: number[] = [];
  for (let index = 0; index < 130; index += 1) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/mcp',
      remoteAddress: `2001:db8:7:7:${index}::1`,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'x-forwarded-for': `203.0.113.${index}`,
        'mcp-session-id': `session-${index}`,
      },
      payload: JSON.stringify({ jsonrpc: '2.0', id: index, method: methods[index % methods.length] }),
    });
    statuses.push(statusCode);
  }
  expect(statuses.map((status) => status === 429)).toEqual(statuses.map((_, index) => index >= 120));
});

test('counts the visitor behind a trusted proxy, not the proxy', async () => {
  const server = await outdoors({ TRUST_PROXY: '192.0.2.1' });
  const logIn = (visitor: string) =>
    server.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: '192.0.2.1',
      headers: { 'x-forwarded-for': visitor },
      payload: { email: 'proxied@example.org', password: 'wrong' },
    });
  for (let index = 0; index < 10; index += 1) expect((await logIn('203.0.113.1')).statusCode).toBe(401);
  expect((await logIn('203.0.113.1')).statusCode).toBe(429);
  expect((await logIn('203.0.113.2')).statusCode).toBe(401);
  // The client's claimed address comes before the one seen by the proxy.
  expect((await logIn('203.0.113.77, 203.0.113.1')).statusCode).toBe(429);
  await server.close();
});

test('looks up 60 referral codes a minute per network, and never short ones', async () => {
  const { referralCode } = await given.user();
  const check = (address: string, code: string) => from(address).get(`/referral/check/${code}`);
  for (let index = 0; index < 5; index += 1) expect((await check('2001:db8:9:9::1', 'REF-')).body).toEqual({ valid: false });
  const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => check(`2001:db8:9:9:${index}::1`, `REF-AAA-${1000 + index}`)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  expect((await check('2001:db8:9:9::1', referralCode)).status).toBe(429);
  expect((await check('2001:db8:9:a::1', referralCode)).body).toEqual({ valid: true });
  const { rows } = await sql<{
    seconds: number;
  }>`select extract(epoch from window_ends_at - now())::float8 as seconds from attempts where key = 'referral-check-from:2001:db8:9:9::/64'`.execute(
    db,
  );
  expect(rows[0]?.seconds).toBeGreaterThan(0);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
  await sql`update attempts set window_ends_at = now() - interval '1 millisecond'`.execute(db);
  expect((await check('2001:db8:9:9::1', referralCode)).body).toEqual({ valid: true });
});
