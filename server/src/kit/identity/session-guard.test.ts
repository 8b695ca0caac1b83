import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { getViewer, readSession, requireAdmin, requireRecent, requireSession, type Viewer } from './session-guard.ts';

const token = 'a'.repeat(43);
const member: Viewer = { id: 'member', role: 'user', token, sessionId: 'session', isRecent: false, isLook: false, isExtended: false };

/** A request with a token that belongs to `viewer`, and the log of its warnings. */
function makeRequest(viewer: Viewer | undefined, { authorization = `Bearer ${token}`, method = 'GET' } = {}) {
  const warnings: object[] = [];
  const request = {
    headers: authorization === '' ? {} : { authorization },
    method,
    url: '/api/admin/users?token=private',
    viewer: null,
    server: { findViewer: async (sessionToken: string) => (sessionToken === token ? viewer : undefined) },
    log: { warn: (details: object) => warnings.push(details) },
  } as unknown as FastifyRequest;
  return { request, warnings };
}

const outcome = async (guard: (request: FastifyRequest) => Promise<void>, request: FastifyRequest) =>
  guard(request).then(
    () => request.viewer?.id ?? null,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

test.each([
  [`Bearer ${token}`, 'member'],
  [`bearer ${token}`, 'member'],
  ['', 'not_authenticated'],
  [token, 'not_authenticated'],
  [`Basic Bearer ${token}`, 'not_authenticated'],
  [`Bearer ${token} more`, 'not_authenticated'],
  [`Bearer ${'b'.repeat(43)}`, 'not_authenticated'],
])('the header %j: %s', async (authorization, expected) => {
  expect(await outcome(requireSession, makeRequest(member, { authorization }).request)).toBe(expected);
});

test('an optional session may be missing, but not expired', async () => {
  expect(await outcome(readSession, makeRequest(member, { authorization: '' }).request)).toBeNull();
  expect(await outcome(readSession, makeRequest(member).request)).toBe('member');
  expect(await outcome(readSession, makeRequest(undefined).request)).toBe('not_authenticated');
});

test.each([
  ['GET', 'member'],
  ['HEAD', 'member'],
  ['POST', 'look_only'],
  ['DELETE', 'look_only'],
])('staff who view the site as a user send %s: %s', async (method, expected) => {
  expect(await outcome(requireSession, makeRequest({ ...member, isLook: true }, { method }).request)).toBe(expected);
});

test('a refused call for administrators is logged without secrets of its address', async () => {
  const { request, warnings } = makeRequest(member);
  expect(await outcome(requireAdmin, request)).toBe('forbidden');
  expect(warnings).toMatchObject([{ userId: 'member', method: 'GET', url: expect.stringMatching(/^\/api\/admin\/users(?!.*private)/) }]);
  const admin = makeRequest({ ...member, role: 'admin' });
  expect(await outcome(requireAdmin, admin.request)).toBe('member');
  expect(admin.warnings).toEqual([]);
});

test('a recent identity is required where it is asked for', async () => {
  const check = async (isRecent: boolean) => {
    const { request } = makeRequest({ ...member, isRecent });
    await requireSession(request);
    return outcome(requireRecent, request);
  };
  expect([await check(false), await check(true)]).toEqual(['confirm_identity', 'member']);
});

test('a request without a session has no viewer', () => {
  expect(() => getViewer(makeRequest(member).request)).toThrow(AppError);
});
