import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallDisk } from '@handwise/sandbox/test-disk';
import { startS3 } from '@handwise/sandbox/test-s3';
import fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { handleError, handleNotFound } from './errors.ts';
import { fileKey, fileUrl, openFileStore } from './files.ts';
import type { FileStore } from './files-store.ts';

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

  test('a stored file is served with its type, for good, and never as anything that runs', async () => {
    await store.put('pictures/ab/one-400.webp', picture, 'image/webp');
    await store.put('pictures/ab/one-400.avif', Buffer.from('smaller'), 'image/avif');
    const answer = await app.inject(fileUrl('pictures/ab/one-400.webp'));
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(picture)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(picture.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect((await app.inject(fileUrl('pictures/ab/one-400.avif'))).headers['content-type']).toBe('image/avif');
  });

  test('a browser that has it already is told so', async () => {
    await store.put('pictures/ab/two-400.webp', picture, 'image/webp');
    const url = fileUrl('pictures/ab/two-400.webp');
    const { etag } = (await app.inject({ method: 'HEAD', url })).headers;
    const answer = await app.inject({ url, headers: { 'if-none-match': String(etag) } });
    expect([answer.statusCode, answer.body]).toEqual([304, '']);
  });

  test('its size can be asked for without its content', async () => {
    await store.put('pictures/ab/three-400.webp', picture, 'image/webp');
    const answer = await app.inject({ method: 'HEAD', url: fileUrl('pictures/ab/three-400.webp') });
    expect([answer.statusCode, answer.headers['content-length'], answer.body]).toEqual([200, String(picture.length), '']);
  });

  test('a deleted file is gone, and deleting it again is no error', async () => {
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
    '/files/.incoming/x',
    '//files/pictures/ab/one-400.webp',
  ])('%s gives nothing away and is not kept by caches', async (url) => {
    writeFileSync(join(dir, 'secret.txt'), 'not for visitors');
    const answer = await app.inject(url);
    expect([403, 404]).toContain(answer.statusCode);
    expect(answer.body).not.toContain('not for visitors');
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each(['../out.webp', '/etc/out.webp', 'a/../../out.webp', 'no-extension', '.hidden.webp', ''])(
    '%j is no key, so nothing is written',
    async (key) => {
      await expect(store.put(key, picture, 'image/webp')).rejects.toThrow('Not a key');
    },
  );
});

test('the address of a file leads back to its key', () => {
  expect(fileKey(fileUrl('logos/ab/one.webp'))).toBe('logos/ab/one.webp');
  expect(fileKey('')).toBeUndefined();
});

test('what a killed process left half-written is taken away at the start', async () => {
  const incoming = join(dir, 'later/.incoming');
  mkdirSync(incoming, { recursive: true });
  writeFileSync(join(incoming, 'left'), 'half');
  utimesSync(join(incoming, 'left'), new Date(), new Date(Date.now() - 61 * 60 * 1000));
  await serving(await openFileStore(null, join(dir, 'later'), onFault));
  expect(existsSync(join(incoming, 'left'))).toBe(false);
});

test('a bucket that does not answer is said to be unavailable, and the operator learns why', async () => {
  const gone = await startS3();
  const store = await openFileStore(gone.settings, '', onFault);
  const app = await serving(store);
  await gone.stop();
  faults.length = 0;
  await expect(store.put('a/b.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(store.delete(['a/b.webp'])).rejects.toMatchObject({ code: 'storage_unavailable' });
  const answer = await app.inject('/files/a/b.webp');
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([503, 'no-store']);
  expect(faults.map(String)).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('ECONNREFUSED')));
});

test('a bucket that is not there is said to be unavailable', async () => {
  const store = await openFileStore({ ...s3.settings, bucket: 'nowhere' }, '', onFault);
  await expect(store.put('a/b.webp', Buffer.from('x'), 'image/webp')).rejects.toMatchObject({ code: 'storage_unavailable' });
});

const disk = smallDisk(1024);
test.runIf(disk)('a full disk is said to be full, keeps what it has and nothing in part', async () => {
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
