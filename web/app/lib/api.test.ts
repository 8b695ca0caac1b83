import type { Call } from '@handwise/contract/call';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { call } from './api.ts';

let answer: () => Response;
beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('fetch', async () => answer());
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const ask = (signal?: AbortSignal) => call<Call>({ method: 'GET', url: '/search/suggest' }, {} as never, signal);
const nothingCame = { status: 0, code: 'network', message: 'Network Error' };

/** An answer whose head has come, and whose body ends in the middle with an error. */
const brokenOff = (error: Error, status = 200) =>
  new Response(
    new ReadableStream({
      pull(controller) {
        controller.error(error);
      },
    }),
    { status },
  );

test('an answer comes as what it holds', async () => {
  answer = () => Response.json({ suggestions: [] });
  expect(await ask()).toEqual({ suggestions: [] });
});

test.each([200, 500])('an answer of %i that ends in the middle is none', async (status) => {
  answer = () => brokenOff(new TypeError('terminated'), status);
  await expect(ask()).rejects.toMatchObject(nothingCame);
});

test('an answer that is given up in the middle ends with that, and with nothing else', async () => {
  const given = new AbortController();
  const left = new DOMException('left', 'AbortError');
  answer = () => {
    given.abort(left);
    return brokenOff(left);
  };
  await expect(ask(given.signal)).rejects.toBe(left);
});

test('a page in place of the answer is none', async () => {
  answer = () => new Response('<!doctype html><title>Welcome to this hotel</title>');
  await expect(ask()).rejects.toMatchObject(nothingCame);
});

test('a refusal without words of ours has words', async () => {
  answer = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  await expect(ask()).rejects.toMatchObject({ status: 502, code: 'internal', message: 'An unexpected error occurred' });
});

test('a refusal in our words keeps them', async () => {
  const errors = [{ field: 'q', message: 'Use at most 120 characters' }];
  answer = () => Response.json({ code: 'invalid_input', message: 'Please check', errors }, { status: 400 });
  await expect(ask()).rejects.toMatchObject({ status: 400, code: 'invalid_input', message: 'Please check', fieldErrors: errors });
});
