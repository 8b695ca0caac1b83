import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectionProblem, getServerReason } from './api-error.ts';
import { call } from './api.ts';
import { forgetUser, readUser, storeUser } from './session/stored-user.ts';

let answer: () => Response;
let sentRequest: { url: string; method: string; headers: Record<string, string>; body?: string } | undefined;
beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  sentRequest = undefined;
  vi.stubGlobal('fetch', async (url: string, init: { method: string; headers: Record<string, string>; body?: string }) => {
    sentRequest = { url, ...init };
    return answer();
  });
});
afterEach(() => {
  forgetUser();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const suggest = (signal?: AbortSignal) => call('GET /search/suggest', {} as never, signal);
const networkError = { status: 0, code: 'network', message: connectionProblem };

/** A response whose body fails halfway. */
const brokenOff = (error: Error, status = 200) =>
  new Response(
    new ReadableStream({
      pull(controller) {
        controller.error(error);
      },
    }),
    { status },
  );

test('returns the parsed response', async () => {
  answer = () => Response.json({ suggestions: [] });
  expect(await suggest()).toEqual({ suggestions: [] });
});

test.each([200, 500])('treats a %i response cut off in the middle as a network error', async (status) => {
  answer = () => brokenOff(new TypeError('terminated'), status);
  await expect(suggest()).rejects.toMatchObject(networkError);
});

test('rejects with the abort when aborted while reading', async () => {
  const controller = new AbortController();
  const left = new DOMException('left', 'AbortError');
  answer = () => {
    controller.abort(left);
    return brokenOff(left);
  };
  await expect(suggest(controller.signal)).rejects.toBe(left);
});

test('treats an HTML page as a network error', async () => {
  answer = () => new Response('<!doctype html><title>Welcome to this hotel</title>');
  await expect(suggest()).rejects.toMatchObject(networkError);
});

test('gives errors from a proxy a general message', async () => {
  answer = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const error = await suggest().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 502, code: 'internal', message: 'An unexpected error occurred' });
  // So each form falls back to its own text.
  expect(getServerReason(error)).toBeNull();
});

test("keeps the server's error message", async () => {
  const errors = [{ field: 'q', message: 'Use at most 120 characters' }];
  answer = () => Response.json({ code: 'invalid_input', message: 'Please check', errors }, { status: 400 });
  const error = await suggest().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 400, code: 'invalid_input', message: 'Please check', fieldErrors: errors });
  expect(getServerReason(error)).toBe('Please check');
});

const signIn = () => storeUser({ _id: 'mere', token: 'token-of-mere' } as Parameters<typeof storeUser>[0]);

test('takes the response of an early call instead of sending a request, and sends one if that has failed', async () => {
  answer = () => Response.json({ of: 'the request' });
  signIn();
  const early = (response: Promise<Response>) =>
    vi.stubGlobal('early', { token: 'token-of-mere', startedAt: Date.now(), responses: { '/search/suggest': response } });
  early(Promise.resolve(Response.json({ of: 'the early call' })));
  expect(await suggest()).toEqual({ of: 'the early call' });
  expect(sentRequest).toBeUndefined();
  early(Promise.reject(new TypeError('Failed to fetch')));
  expect(await suggest()).toEqual({ of: 'the request' });
  early(Promise.resolve(Response.json({ code: 'not_authenticated' }, { status: 401 })));
  await expect(suggest()).rejects.toMatchObject({ status: 401 });
  expect(readUser()).toBeNull();
});

test('an early call is not the response of a change', async () => {
  answer = () => Response.json({ of: 'the request' });
  signIn();
  vi.stubGlobal('early', {
    token: 'token-of-mere',
    startedAt: Date.now(),
    responses: { '/visits/feed': Promise.resolve(Response.json({})) },
  });
  expect(await call('DELETE /visits/feed', {})).toEqual({ of: 'the request' });
});

test('sends the token, encoded path parts and non-empty query parameters', async () => {
  answer = () => Response.json({});
  signIn();
  const input = { params: { id: 'a/b?c' }, query: { page: 2, title: '', region: undefined, q: 'a & b' }, body: { name: 'Ana' } };
  await call('PUT /listing/:id/plan', input as never);
  expect(sentRequest).toMatchObject({ url: '/api/listing/a%2Fb%3Fc/plan?page=2&q=a+%26+b', method: 'PUT', body: '{"name":"Ana"}' });
  expect(sentRequest?.headers).toEqual({
    Accept: 'application/json',
    'Content-Type': 'application/json',
    Authorization: 'Bearer token-of-mere',
  });
  forgetUser();
  await suggest();
  expect(sentRequest?.url).toBe('/api/search/suggest');
  expect(sentRequest?.headers).toEqual({ Accept: 'application/json' });
});

test('signs out when the session is over, unless another user has signed in since', async () => {
  signIn();
  const refuse = (code: string) => () => Response.json({ code, message: 'No' }, { status: 401 });
  answer = refuse('invalid_credentials');
  await expect(suggest()).rejects.toMatchObject({ code: 'invalid_credentials' });
  expect(readUser()?._id).toBe('mere');
  answer = () => {
    storeUser({ _id: 'tama', token: 'token-of-tama' } as Parameters<typeof storeUser>[0]);
    return refuse('not_authenticated')();
  };
  await expect(suggest()).rejects.toMatchObject({ code: 'not_authenticated' });
  expect(readUser()?._id).toBe('tama');
  answer = refuse('not_authenticated');
  await expect(suggest()).rejects.toMatchObject({ code: 'not_authenticated' });
  expect(readUser()).toBeNull();
});
