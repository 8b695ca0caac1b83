import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectionProblem } from './api-error.ts';
import { forgetUser, storeUser } from './session/stored-user.ts';
import { upload } from './upload.ts';

const networkError = { status: 0, code: 'network', message: connectionProblem };

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('XMLHttpRequest', Upload);
});
afterEach(() => {
  forgetUser();
  vi.useRealTimers();
  vi.unstubAllGlobals();
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
  abort() {
    this.listeners['abort']?.();
  }
}

function send(onProgress: (share: number) => void = () => {}) {
  const photos = [new Blob(['one']), new Blob(['two'])];
  const form = { title: 'Taps', price: 12, note: undefined };
  const input = { params: { id: 'a b' }, form, files: { photos, logo: undefined } };
  return { answered: upload('PUT /listing/:id', input as never, onProgress), sent: Upload.last };
}

test('uploads fields and files with the token, and reports progress', async () => {
  storeUser({ _id: 'mere', token: 'token-of-mere' } as Parameters<typeof storeUser>[0]);
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

test('an upload that stands still for two minutes fails, one that goes on does not', async () => {
  vi.useFakeTimers();
  const { answered, sent } = send();
  const failed = vi.fn<(error: unknown) => void>();
  answered.catch(failed);
  await vi.advanceTimersByTimeAsync(119_000);
  sent.reportProgress({ lengthComputable: true, loaded: 4, total: 4 });
  await vi.advanceTimersByTimeAsync(119_000);
  expect(failed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failed).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(networkError));

  const finished = send();
  finished.sent.end(201, { message: 'Saved' });
  expect(await finished.answered).toEqual({ message: 'Saved' });
  for (const end of ['error', 'abort', 'timeout']) {
    const broken = send();
    expect(vi.getTimerCount()).toBe(1);
    broken.sent.listeners[end]?.();
    await expect(broken.answered).rejects.toMatchObject(networkError);
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('an upload that has ended by the time it is sent does not go on waiting', async () => {
  vi.useFakeTimers();
  vi.spyOn(Upload.prototype, 'send').mockImplementation(function (this: Upload) {
    this.end(201, { message: 'Saved' });
  });
  expect(await send().answered).toEqual({ message: 'Saved' });
  expect(vi.getTimerCount()).toBe(0);
});
