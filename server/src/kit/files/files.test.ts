import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { smallDisk } from '@handwise/sandbox/testing/disk';
import { computeSignature, startS3 } from '@handwise/sandbox/testing/s3';
import { handleError, handleNotFound } from '../errors.ts';
import { fileKey, fileUrl, type FileStore, toStorageError, openTempFolder } from './file-store.ts';
import { openFileStore } from './files.ts';

const dir = mkdtempSync(join(tmpdir(), 'handwise-store-'));
const s3 = await startS3();
const faults: unknown[] = [];
const onFault = (error: unknown) => void faults.push(error);

async function serving(store: FileStore) {
  const app = fastify();
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleNotFound);
  await store.serve(app);
  afterAll(() => app.close());
  return app;
}

afterAll(async () => {
  await s3.stop();
  rmSync(dir, { recursive: true, force: true });
});

const local = await openFileStore(null, join(dir, 'files'), onFault);
const remote = await openFileStore(s3.settings, '', onFault);

describe.each([
  ['a folder', local],
  ['an S3 bucket', remote],
])('in %s', async (_, store) => {
  const app = await serving(store);
  const picture = Buffer.from('bytes of a picture'.repeat(5000));

  test('serves a stored file with its type, immutable, with a policy that forbids scripts', async () => {
    await store.put('pictures/ab/one-400.webp', picture, 'image/webp');
    await store.put('pictures/ab/one-400.avif', Buffer.from('smaller'), 'image/avif');
    const answer = await app.inject(fileUrl('pictures/ab/one-400.webp'));
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(picture)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(picture.length),
      'cache-control': 'public, max-age=31536000, s-maxage=600, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await app.inject(fileUrl('pictures/ab/one-400.avif'))).headers['content-type']).toBe('image/avif');
  });

  test('reads a stored file, and undefined for a missing one', async () => {
    await store.put('pictures/ab/read-400.webp', picture, 'image/webp');
    const chunks: Buffer[] = [];
    for await (const chunk of (await store.read('pictures/ab/read-400.webp')) ?? []) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(picture)).toBe(true);
    expect(await store.read('pictures/ab/never-400.webp')).toBeUndefined();
  });

  test('serves no private file, however its address is written, but gives it to the server', async () => {
    await store.put('private/ab/plan.pdf', picture, 'application/pdf');
    for (const path of [
      'private/ab/plan.pdf',
      'PRIVATE/ab/plan.pdf',
      '/private/ab/plan.pdf',
      './private/ab/plan.pdf',
      'x/../private/ab/plan.pdf',
    ])
      for (const url of [fileUrl(path), fileUrl(encodeURIComponent(path))])
        expect((await app.inject(url)).statusCode).toBeOneOf([403, 404]);
    expect(await store.read('private/ab/plan.pdf')).toBeDefined();
    await store.delete(['private/ab/plan.pdf']);
    expect(await store.read('private/ab/plan.pdf')).toBeUndefined();
  });

  test('answers 304 to a browser that has the file', async () => {
    await store.put('pictures/ab/two-400.webp', picture, 'image/webp');
    const url = fileUrl('pictures/ab/two-400.webp');
    const { etag } = (await app.inject({ method: 'HEAD', url })).headers;
    const answer = await app.inject({ url, headers: { 'if-none-match': String(etag) } });
    expect([answer.statusCode, answer.body]).toEqual([304, '']);
  });

  test('answers HEAD with the size', async () => {
    await store.put('pictures/ab/three-400.webp', picture, 'image/webp');
    const answer = await app.inject({ method: 'HEAD', url: fileUrl('pictures/ab/three-400.webp') });
    expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, String(picture.length), '']);
  });

  test('deletes a file; deleting it again is idempotent', async () => {
    const keys = ['logos/ab/one.webp', 'logos/ab/two.webp', 'logos/ab/never-there.webp'];
    for (const key of keys.slice(0, 2)) await store.put(key, picture, 'image/webp');
    await store.delete(keys);
    await store.delete(keys);
    for (const key of keys) expect((await app.inject(fileUrl(key))).statusCode).toBe(404);
  });

  test.each([
    '/files/pictures/ab/nothing-400.webp',
    '/files/',
    '/files/pictures',
    '/files/../secret.txt',
    '/files/%2e%2e/secret.txt',
    '/files/pictures/%2e%2e%2f%2e%2e%2fsecret.txt',
    '/files/..%5csecret.txt',
    '/files/%00.webp',
    '/files/.incoming/half.webp',
    `/files/${'x'.repeat(196)}.webp`,
    '//files/pictures/ab/one-400.webp',
  ])('answers 404 for %s, uncached', async (url) => {
    writeFileSync(join(dir, 'secret.txt'), 'not for visitors');
    mkdirSync(join(dir, 'files/.incoming'), { recursive: true });
    writeFileSync(join(dir, 'files/.incoming/half.webp'), 'not for visitors');
    const answer = await app.inject(url);
    expect([403, 404]).toContain(answer.statusCode);
    expect(answer.body).not.toContain('not for visitors');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each([
    '../out.webp',
    '/etc/out.webp',
    'a/../../out.webp',
    'a\\\\out.webp',
    'no-extension',
    '.hidden.webp',
    `${'x'.repeat(196)}.webp`,
    '',
  ])('writes nothing for the invalid key %j', async (key) => {
    await expect(store.put(key, picture, 'image/webp')).rejects.toThrow('Not a key');
  });

  test('accepts a key of 200 letters, and stores a file again', async () => {
    const key = `${'x'.repeat(195)}.webp`;
    await store.put(key, picture, 'image/webp');
    await store.put(key, picture, 'image/webp');
    expect((await app.inject(fileUrl(key))).statusCode).toBe(200);
  });
});

describe('a folder', () => {
  test('deletes nothing outside of its folder', async () => {
    writeFileSync(join(dir, 'outside.webp'), 'not ours');
    await expect(local.delete(['../outside.webp'])).rejects.toThrow('Not a key');
    expect(existsSync(join(dir, 'outside.webp'))).toBe(true);
  });

  test('that fails is unavailable, leaves no partial file, and logs the cause', async () => {
    mkdirSync(join(dir, 'files/odd/folder.webp/inside'), { recursive: true });
    faults.length = 0;
    await expect(local.put('odd/folder.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(local.delete(['odd/folder.webp'])).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(readdirSync(join(dir, 'files/.incoming'))).toEqual(['half.webp']);
    expect(faults).toMatchObject([{ syscall: 'rename' }, { syscall: 'unlink' }]);
  });

  test('deletes temporary files of killed processes each hour, until the server closes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const app = await serving(await openFileStore(null, join(dir, 'hourly'), onFault));
    const left = join(dir, 'hourly/.incoming/left');
    writeFileSync(left, 'half');
    await vi.advanceTimersByTimeAsync(30 * 60 * 1000);
    expect(existsSync(left)).toBe(true);
    await vi.advanceTimersByTimeAsync(91 * 60 * 1000);
    vi.useRealTimers();
    await expect.poll(() => existsSync(left)).toBe(false);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const other = fastify();
    await openTempFolder(other, join(dir, 'hourly'));
    expect(vi.getTimerCount()).toBe(1);
    await other.close();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
    await app.close();
  });
});

/** A store with scripted responses, for errors that real ones rarely have. */
async function oddS3(
  answer: (request: IncomingMessage, body: string) => { status: number; body?: string; headers?: Record<string, string> },
) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const { status, body: text = '', headers } = answer(request, body);
      response.writeHead(status, headers).end(text);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, store: await openFileStore({ ...s3.settings, endpoint }, '', onFault) };
}
const errorXml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

describe('an S3 store', () => {
  test.each([
    ['507', { status: 507, body: errorXml('InsufficientStorage') }, 'storage_full'],
    ['507 without a name', { status: 507 }, 'storage_full'],
    ['a quota that is used up', { status: 403, body: errorXml('QuotaExceeded') }, 'storage_full'],
    ['XMinioStorageFull', { status: 400, body: errorXml('XMinioStorageFull') }, 'storage_full'],
    ['a key that is not known', { status: 403, body: errorXml('InvalidAccessKeyId') }, 'storage_unavailable'],
    ['a moved bucket', { status: 301, body: errorXml('PermanentRedirect') }, 'storage_unavailable'],
  ])('that answers %s is reported as such, and logs the cause', async (_, answer, code) => {
    const { store } = await oddS3(() => answer);
    faults.length = 0;
    await expect(store.put('a/b.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({ code });
    await expect(store.delete(['a/b.webp'])).rejects.toMatchObject({ code });
    expect(faults).toHaveLength(2);
  });

  test('that is busy for a moment is called again, and one that refuses is not', async () => {
    let isBusy = true;
    const { store, seen } = await oddS3(({ method }) => {
      const status = method === 'GET' ? 403 : isBusy ? 503 : 200;
      isBusy = false;
      return { status };
    });
    await store.put('a/b.webp', Buffer.from('x'), 'image/webp');
    await expect(store.read('a/b.webp')).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(seen.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET']);
  });

  test('receives a file with its type, size and cache lifetime', async () => {
    const { store, seen } = await oddS3(() => ({ status: 200 }));
    await store.put('a/b.avif', Buffer.from('twelve bytes'), 'image/avif');
    expect(seen).toMatchObject([
      {
        method: 'PUT',
        url: expect.stringContaining('/pictures/a/b.avif'),
        headers: {
          'content-type': 'image/avif',
          'content-length': '12',
          'cache-control': 'public, max-age=31536000, s-maxage=600, immutable',
        },
        body: 'twelve bytes',
      },
    ]);
  });

  test('deletes at most 1,000 files per request, each once', async () => {
    const { store, seen } = await oddS3(() => ({ status: 200, body: '<DeleteResult/>' }));
    const keys = Array.from({ length: 2_001 }, (_, index) => `a/${index}.webp`);
    await store.delete(keys);
    const deletedKeys = seen.map(({ body }) => [...body.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key));
    expect(deletedKeys.map((one) => one.length)).toEqual([1_000, 1_000, 1]);
    expect(deletedKeys.flat()).toEqual(keys);
  });

  test('that fails to delete one file has failed', async () => {
    const body = '<DeleteResult><Error><Key>a/1.webp</Key><Code>AccessDenied</Code><Message>no</Message></Error></DeleteResult>';
    const { store } = await oddS3(() => ({ status: 200, body }));
    faults.length = 0;
    await expect(store.delete(['a/0.webp', 'a/1.webp'])).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(faults.map(String)).toEqual([expect.stringContaining('1 objects were not deleted, the first because of AccessDenied')]);
  });

  test('receives no request for an invalid key', async () => {
    const { store, seen } = await oddS3(() => ({ status: 200 }));
    const app = await serving(store);
    for (const address of ['/files/a/..%2f..%2fsecret.txt', '/files/.hidden.webp', '/files/a']) {
      expect((await app.inject(address)).statusCode).toBe(404);
    }
    expect(seen).toEqual([]);
  });

  test('that denies access is unavailable, not empty', async () => {
    const { store } = await oddS3(() => ({ status: 403, body: errorXml('AccessDenied') }));
    const app = await serving(store);
    const answer = await app.inject('/files/a/b.webp');
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([503, 'no-store']);
  });

  test('passes a file without type or size through', async () => {
    const { store } = await oddS3(() => ({ status: 200, headers: { etag: '"one"' }, body: 'bytes' }));
    const app = await serving(store);
    const answer = await app.inject('/files/a/b.webp');
    expect([answer.statusCode, answer.body]).toEqual([200, 'bytes']);
    expect(answer.headers).toMatchObject({ etag: '"one"', 'content-type': 'application/octet-stream' });
    expect(answer.headers['content-length']).toBeUndefined();
  });
});

test('the stand-in of S3 signs the example of Amazon’s documentation as that does', () => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
  };
  const authorization =
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date';
  expect(computeSignature({ method: 'GET', url: '/test.txt', headers, authorization })).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

test.each([
  ['ENOSPC', 'storage_full'],
  ['EDQUOT', 'storage_full'],
  ['EIO', 'storage_unavailable'],
  ['EACCES', 'storage_unavailable'],
])('maps a disk’s %s to %s', (code, expected) => {
  expect(toStorageError(Object.assign(new Error('no'), { code }))).toMatchObject({ code: expected });
});

test('a file’s address contains its key', () => {
  expect(fileKey(fileUrl('logos/ab/one.webp'))).toBe('logos/ab/one.webp');
  for (const other of ['', '/logos/ab/one.webp', 'https://elsewhere.example/files/one.webp']) expect(fileKey(other)).toBeUndefined();
});

test('deletes partial files of a killed process at the start', async () => {
  const incoming = join(dir, 'later/.incoming');
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, 'left'), 'half');
  utimesSync(join(incoming, 'left'), new Date(), new Date(Date.now() - 61 * 60 * 1000));
  await serving(await openFileStore(null, join(dir, 'later'), onFault));
  expect(existsSync(join(incoming, 'left'))).toBe(false);
});

test('a bucket that does not answer is unavailable, and the cause is logged', async () => {
  const stopped = await startS3();
  const store = await openFileStore(stopped.settings, '', onFault);
  const app = await serving(store);
  await stopped.stop();
  faults.length = 0;
  await expect(store.put('a/b.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(store.delete(['a/b.webp'])).rejects.toMatchObject({ code: 'storage_unavailable' });
  const answer = await app.inject('/files/a/b.webp');
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([503, 'no-store']);
  expect(faults.map(String)).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('ECONNREFUSED')));
});

test('a missing bucket is unavailable', async () => {
  const store = await openFileStore({ ...s3.settings, bucket: 'nowhere' }, '', onFault);
  await expect(store.put('a/b.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({ code: 'storage_unavailable' });
});

const disk = smallDisk(1024);
test.runIf(disk)('a full disk is reported as full, keeps its files and leaves no partial one', async () => {
  const store = await openFileStore(null, disk ?? '', onFault);
  const large = Buffer.alloc(600_000, 1);
  await store.put('a/one.webp', large, 'image/webp');
  await expect(store.put('a/two.webp', large, 'image/webp')).rejects.toMatchObject({ code: 'storage_full' });
  expect(readdirSync(join(disk ?? '', 'a'))).toEqual(['one.webp']);
  expect(readdirSync(join(disk ?? '', '.incoming'))).toEqual([]);
  expect(readFileSync(join(disk ?? '', 'a/one.webp')).equals(large)).toBe(true);
  await store.delete(['a/one.webp']);
  await store.put('a/two.webp', large, 'image/webp');
});
