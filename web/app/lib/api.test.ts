import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectionProblem, getServerReason } from './api-error.ts';
import { call, upload } from './api.ts';
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

/** A fake of the browser's `XMLHttpRequest`, which records what is sent. */
class Upload {
  static last: Upload;
  readonly headers: Record<string, string> = {};
  readonly listeners: Record<string, () => void> = {};
  readonly upload = { addEventListener: (_: string, listener: (event: object) => void) => (this.reportProgress = listener) };
  reportProgress: (event: object) => void = () => {};
  address = '';
  form = new FormData();
  status = 0;
  response: unknown = null;
  responseType = '';
  constructor() {
    Upload.last = this;
  }
  open(method: string, url: string) {
    this.address = `${method} ${url}`;
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }
  addEventListener(name: string, listener: () => void) {
    this.listeners[name] = listener;
  }
  send(form: FormData) {
    this.form = form;
  }
  end(status: number, response: unknown) {
    Object.assign(this, { status, response });
    this.listeners['load']?.();
  }
}

function send(onProgress: (share: number) => void = () => {}) {
  vi.stubGlobal('XMLHttpRequest', Upload);
  const photos = [new Blob(['one']), new Blob(['two'])];
  const form = { title: 'Taps', price: 12, note: undefined };
  const input = { params: { id: 'a b' }, form, files: { photos, logo: undefined } };
  return { answered: upload('PUT /listing/:id', input as never, onProgress), sent: Upload.last };
}

test('uploads fields and files with the token, and reports progress', async () => {
  signIn();
  const shares: number[] = [];
  const { answered, sent } = send((share) => shares.push(share));
  expect([sent.address, sent.headers]).toEqual([
    'PUT /api/listing/a%20b',
    { Accept: 'application/json', Authorization: 'Bearer token-of-mere' },
  ]);
  expect([...sent.form.keys()]).toEqual(['title', 'price', 'photos', 'photos']);
  expect([sent.form.get('title'), sent.form.get('price')]).toEqual(['Taps', '12']);
  sent.reportProgress({ lengthComputable: false, loaded: 1, total: 0 });
  sent.reportProgress({ lengthComputable: true, loaded: 1, total: 4 });
  sent.end(201, { message: 'Saved' });
  expect(await answered).toEqual({ message: 'Saved' });
  expect(shares).toEqual([0.25]);
});

test('rejects a refused upload and one without a response', async () => {
  const refused = send();
  refused.sent.end(413, { code: 'file_too_large', message: 'Too large' });
  await expect(refused.answered).rejects.toMatchObject({ status: 413, code: 'file_too_large', message: 'Too large' });
  for (const end of ['error', 'abort', 'timeout']) {
    const broken = send();
    broken.sent.listeners[end]?.();
    await expect(broken.answered).rejects.toMatchObject(networkError);
  }
});
