import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { startS3 } from '@handwise/sandbox/testing/s3';
import { openDatabase } from '../database/database.ts';
import { AppError, handleError } from '../errors.ts';
import { processLogo, processPictures } from '../images/images.ts';
import type { ProcessedPicture } from '../images/pool.ts';
import { fileUrl, type FileStore } from './file-store.ts';
import { openFileStore } from './files.ts';
import { registerForms, readForm } from './multipart.ts';
import {
  type StoredPicture,
  attachFiles,
  detachFiles,
  discardFiles,
  storeLogo,
  storePdf,
  storePictures,
  deleteOrphanedFiles,
} from './stored-files.ts';

const { url } = await testDatabase();
const database = openDatabase({ url, connections: 10, onIdleError: () => {} });
const { db } = database;
const dir = mkdtempSync(join(tmpdir(), 'handwise-stored-'));
const filesDir = join(dir, 'files');
const local = await openFileStore(null, filesDir, () => {});
const s3 = await startS3();
const remote = await openFileStore(s3.settings, '', () => {});
afterAll(async () => {
  await database.close();
  await s3.stop();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  await db.deleteFrom('files').execute();
  rmSync(filesDir, { recursive: true, force: true });
});

const picture: ProcessedPicture & { alt: string } = {
  widths: [400, 800],
  formats: ['avif', 'webp'],
  width: 800,
  height: 600,
  thumbhash: 'pLcFPYRAZ6aPiWfEaZl4YZiAhgUo',
  alt: 'A van',
  files: [400, 800].flatMap((width) => [
    { suffix: `-${width}.avif`, data: Buffer.from(`avif ${width}`), contentType: 'image/avif' },
    { suffix: `-${width}.webp`, data: Buffer.from(`webp ${width}`), contentType: 'image/webp' },
  ]),
};
const logo = { suffix: '.webp', data: Buffer.from('logo'), contentType: 'image/webp' };

const objectsOf = ({ key, widths, formats = ['webp'] }: StoredPicture) =>
  widths.flatMap((width) => formats.map((format) => `${key}-${width}.${format}`));
const storedFiles = () =>
  existsSync(filesDir)
    ? readdirSync(filesDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => entry.name)
    : [];
const rows = () => db.selectFrom('files').select(['key', 'state']).orderBy('key').execute();
const attach = (keys: readonly string[]) => db.transaction().execute((tx) => attachFiles(tx, keys));
const detach = (keys: readonly string[]) => db.transaction().execute((tx) => detachFiles(tx, keys));
const age = (seconds: number) =>
  db
    .updateTable('files')
    .set({ changed_at: sql`changed_at - make_interval(secs => ${seconds})` })
    .execute();

async function storeOne() {
  const [stored] = await storePictures(db, local, [picture]);
  if (!stored) throw new Error('nothing was stored');
  return stored;
}

describe.each([
  ['a folder', local],
  ['an S3 bucket', remote],
])('in %s', async (_, store: FileStore) => {
  const app = fastify();
  await store.serve(app);
  afterAll(() => app.close());
  const statuses = async (keys: string[]) => Promise.all(keys.map(async (key) => (await app.inject(fileUrl(key))).statusCode));

  test('serves a picture in each width and format until it is deleted', async () => {
    const [one, two] = await storePictures(db, store, [picture, { ...picture, alt: 'A shed' }]);
    if (!one || !two) throw new Error('nothing was stored');
    expect(one).toEqual({ key: one.key, ...picture, files: undefined });
    expect([one.alt, two.alt, one.key === two.key]).toEqual(['A van', 'A shed', false]);
    expect(await statuses([...objectsOf(one), ...objectsOf(two)])).toEqual(Array.from({ length: 8 }, () => 200));

    await attach([two.key]);
    await age(3601);
    expect(await deleteOrphanedFiles(db, store)).toBe(1);
    expect(await statuses([...objectsOf(one), ...objectsOf(two)])).toEqual([404, 404, 404, 404, 200, 200, 200, 200]);
    expect(await rows()).toEqual([{ key: two.key, state: 'attached' }]);
  });

  test('stores a logo as one file, deleted after its replacement', async () => {
    const key = await storeLogo(db, store, logo);
    await attach([key]);
    await age(10_000);
    expect([await deleteOrphanedFiles(db, store), await statuses([key])]).toEqual([0, [200]]);
    await detach([key]);
    // From now on it is unattached.
    expect([await deleteOrphanedFiles(db, store), await statuses([key])]).toEqual([0, [200]]);
    await age(3601);
    expect([await deleteOrphanedFiles(db, store), await statuses([key])]).toEqual([1, [404]]);
  });
});

test('leaves unattached files for an hour', async () => {
  const stored = await storeOne();
  await age(3590);
  expect(await deleteOrphanedFiles(db, local)).toBe(0);
  await attach([stored.key]);
  await detach([stored.key]);
  await age(3590);
  expect(await deleteOrphanedFiles(db, local)).toBe(0);
  await attach([stored.key]);
  expect(await rows()).toEqual([{ key: stored.key, state: 'attached' }]);
});

test('the pictures of a failed transaction are deleted by the clean-up', async () => {
  const stored = await storeOne();
  const failing = db.transaction().execute(async (tx) => {
    await attachFiles(tx, [stored.key]);
    throw new Error('no free slot');
  });
  await expect(failing).rejects.toThrow('no free slot');
  await age(3601);
  expect([await deleteOrphanedFiles(db, local), storedFiles(), await rows()]).toEqual([1, [], []]);
});

test('does not attach a deleted picture or one of another listing', async () => {
  const [deleted, taken] = [await storeOne(), await storeOne()];
  await attach([taken.key]);
  await age(3601);
  await deleteOrphanedFiles(db, local);
  await expect(attach([deleted.key])).rejects.toThrow(deleted.key);
  await expect(attach([taken.key])).rejects.toThrow(taken.key);
  await expect(attach(['pictures/ab/never-was'])).rejects.toThrow('never-was');
});

test('detaching pictures without a row, such as those of the demo data, keeps them', async () => {
  await local.put('demo/one-400.webp', Buffer.from('demo'), 'image/webp');
  await detach(['demo/one']);
  expect([await deleteOrphanedFiles(db, local, 0), storedFiles()]).toEqual([0, ['one-400.webp']]);
});

test('the clean-up skips a picture that a transaction is attaching', async () => {
  const stored = await storeOne();
  await age(3601);
  await db.transaction().execute(async (tx) => {
    await attachFiles(tx, [stored.key]);
    expect(await deleteOrphanedFiles(db, local)).toBe(0);
  });
  expect([await rows(), storedFiles().length]).toEqual([[{ key: stored.key, state: 'attached' }], 4]);
});

test('a transaction fails that attaches a picture during its deletion', async () => {
  const stored = await storeOne();
  await age(3601);
  let attached: Promise<void> | undefined;
  const slow: FileStore = {
    ...local,
    async delete(keys) {
      attached = attach([stored.key]);
      await expect(attached).rejects.toThrow(stored.key);
      await local.delete(keys);
    },
  };
  expect(await deleteOrphanedFiles(db, slow)).toBe(1);
  expect(attached).toBeDefined();
  expect([await rows(), storedFiles()]).toEqual([[], []]);
});

test('deletes unattached files of a request at once, but no attached ones', async () => {
  const [loose, shown] = [await storeOne(), await storeOne()];
  await attach([shown.key]);
  await discardFiles(db, local, [loose.key, shown.key]);
  expect([await rows(), storedFiles().length]).toEqual([[{ key: shown.key, state: 'attached' }], 4]);
  await discardFiles(db, local, []);
  expect(await rows()).toHaveLength(1);
});

test('leaves files to the clean-up, without an error, if they can’t be deleted at once', async () => {
  const stored = await storeOne();
  const broken: FileStore = {
    ...local,
    async delete() {
      throw new AppError('storage_unavailable');
    },
  };
  await discardFiles(db, broken, [stored.key]);
  expect([await rows(), storedFiles().length]).toEqual([[{ key: stored.key, state: 'deleting' }], 4]);
  // Files that are being deleted count as detached.
  await detach([stored.key]);
  await expect(attach([stored.key])).rejects.toThrow(stored.key);
  expect(await rows()).toEqual([{ key: stored.key, state: 'deleting' }]);
  await age(3601);
  expect([await deleteOrphanedFiles(db, local), storedFiles(), await rows()]).toEqual([1, [], []]);
});

test('records a file before it is stored, so that the clean-up finds it after a crash in between', async () => {
  const known: number[] = [];
  const watching: FileStore = {
    ...local,
    async put(...file) {
      known.push((await rows()).length);
      await local.put(...file);
    },
  };
  await storePictures(db, watching, [picture]);
  expect(known).toEqual([1, 1, 1, 1]);
});

test('stores pictures in order, with random names', async () => {
  const alts = Array.from({ length: 20 }, (_, index) => `Photo ${index}`);
  const stored = await storePictures(
    db,
    local,
    alts.map((alt) => ({ ...picture, alt })),
  );
  expect(stored.map((one) => one.alt)).toEqual(alts);
  for (const { key } of stored) expect(key).toMatch(/^pictures\/([0-9a-f]{2})\/\1[0-9a-f]{22}$/);
  expect(new Set(stored.map((one) => one.key)).size).toBe(20);
});

test('each picture is either attached or deleted when both run in parallel', async () => {
  const stored = await storePictures(
    db,
    local,
    Array.from({ length: 40 }, () => picture),
  );
  await age(3601);
  const attaching = stored.map(({ key }) =>
    attach([key]).then(
      () => key,
      () => undefined,
    ),
  );
  const sweeping = Array.from({ length: 3 }, () => deleteOrphanedFiles(db, local));
  const attached = (await Promise.all(attaching)).filter((key) => key !== undefined);
  const swept = (await Promise.all(sweeping)).reduce((sum, one) => sum + one, 0);
  expect(attached.length + swept).toBe(40);
  expect(storedFiles()).toHaveLength(attached.length * 4);
  expect(await rows()).toEqual(attached.toSorted().map((key) => ({ key, state: 'attached' })));
});

test('a later clean-up finishes an interrupted one', async () => {
  await storePictures(db, local, [picture, picture]);
  await age(3601);
  const broken: FileStore = {
    ...local,
    async delete(keys) {
      await local.delete(keys.slice(0, 3));
      throw new AppError('storage_unavailable');
    },
  };
  await expect(deleteOrphanedFiles(db, broken)).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(storedFiles()).toHaveLength(5);
  expect(await deleteOrphanedFiles(db, local)).toBe(0);
  await age(3601);
  expect([await deleteOrphanedFiles(db, local), storedFiles(), await rows()]).toEqual([2, [], []]);
});

test('deletes more than one batch of orphans in one run', async () => {
  await storePictures(
    db,
    local,
    Array.from({ length: 130 }, () => picture),
  );
  await age(3601);
  expect([await deleteOrphanedFiles(db, local), storedFiles()]).toEqual([130, []]);
});

test('stores nothing if the store fills up half-way', async () => {
  let room = 6;
  const filling: FileStore = {
    ...local,
    async put(...file) {
      if (room === 0) throw new AppError('storage_full');
      room -= 1;
      await local.put(...file);
    },
  };
  await expect(storePictures(db, filling, [picture, picture, picture])).rejects.toMatchObject({ code: 'storage_full' });
  expect([storedFiles(), await rows()]).toEqual([[], []]);
});

test('leaves partial uploads to the clean-up if the store can’t delete them', async () => {
  const broken: FileStore = {
    ...local,
    async put(key, ...file) {
      if (key.endsWith('-800.webp')) throw new AppError('storage_unavailable');
      await local.put(key, ...file);
    },
    async delete() {
      throw new AppError('storage_unavailable');
    },
  };
  await expect(storePictures(db, broken, [picture])).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(storedFiles()).toHaveLength(3);
  await age(3601);
  expect([await deleteOrphanedFiles(db, local), storedFiles(), await rows()]).toEqual([1, [], []]);
});

describe('an upload', async () => {
  const uploads = join(dir, 'uploads');
  const app = fastify();
  app.setErrorHandler(handleError);
  await registerForms(app, { dir: uploads, atOnce: 3 });
  await local.serve(app);
  // Like a route that accepts pictures.
  app.route({
    method: 'POST',
    url: '/upload',
    config: { takesForms: true },
    handler: async (request) => {
      const form = await readForm(request, {
        serviceImages: { maxFiles: 5, maxBytes: 5 * 1024 * 1024 },
        logo: { maxFiles: 1, maxBytes: 2 * 1024 * 1024 },
      });
      try {
        const processed = await processPictures(
          form.files.filter((file) => file.field === 'serviceImages'),
          null,
        );
        const [logoFile] = await Promise.all(form.files.filter((file) => file.field === 'logo').map((file) => processLogo(file, null)));
        const pictures = await storePictures(
          db,
          local,
          processed.map((one) => ({ ...one, alt: '' })),
        );
        const logoKey = logoFile && (await storeLogo(db, local, logoFile));
        await db.transaction().execute((tx) => attachFiles(tx, [...pictures.map((one) => one.key), ...(logoKey ? [logoKey] : [])]));
        return { pictures, logo: logoKey ? fileUrl(logoKey) : '' };
      } finally {
        await form.cleanup();
      }
    },
  });
  afterAll(() => app.close());

  const photo = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#7a9' } })
    .jpeg()
    .toBuffer();

  async function send(files: [field: string, content: Buffer | string, filename: string][]) {
    const form = new FormData();
    for (const [field, content, filename] of files) form.append(field, new Blob([new Uint8Array(Buffer.from(content))]), filename);
    const body = new Response(form);
    const headers = { 'content-type': body.headers.get('content-type') ?? '' };
    const answer = await app.inject({ method: 'POST', url: '/upload', headers, payload: Buffer.from(await body.arrayBuffer()) });
    return { status: answer.statusCode, body: answer.json() };
  }

  test('stores and serves photos and a logo, and leaves no temporary file', async () => {
    const { status, body } = await send([
      ['serviceImages', photo, '../../van.jpg'],
      ['serviceImages', photo, 'shed.jpg'],
      ['logo', photo, 'logo.jpg'],
    ]);
    expect([status, body.pictures.length]).toEqual([200, 2]);
    for (const address of [...body.pictures.flatMap(objectsOf).map(fileUrl), body.logo]) {
      expect([address, (await app.inject(address)).statusCode]).toEqual([address, 200]);
    }
    expect(readdirSync(uploads)).toEqual([]);
    expect(await deleteOrphanedFiles(db, local, 0)).toBe(0);
  });

  const html = '<!doctype html><script>alert(document.domain)</script>';
  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'van.jpg', 400],
    ['an HTML page', html, 'van.html', 400],
    ['a page that begins as a JPEG', Buffer.concat([photo.subarray(0, 40), Buffer.from(html)]), 'van.jpg', 400],
    ['a photo that was cut off', photo.subarray(0, photo.length / 2), 'van.jpg', 400],
    ['an empty file', '', 'van.jpg', 400],
    ['a photo over the limit', Buffer.concat([photo, Buffer.alloc(5 * 1024 * 1024)]), 'van.jpg', 413],
  ])('is rejected, naming the file, if %s is among its photos; nothing is stored', async (_, content, filename, status) => {
    const answer = await send([
      ['serviceImages', photo, 'good.jpg'],
      ['serviceImages', content, filename],
    ]);
    expect(answer).toMatchObject({
      status,
      body: {
        errors: [{ field: 'serviceImages[1]', message: expect.stringContaining(`“${filename}” `) }],
        message: expect.stringContaining(filename),
      },
    });
    expect([storedFiles(), await rows(), readdirSync(uploads)]).toEqual([[], [], []]);
    expect((await send([['serviceImages', photo, 'next.jpg']])).status).toBe(200);
  });

  test('of a photo with HTML appended is re-encoded without it', async () => {
    const { body } = await send([['serviceImages', Buffer.concat([photo, Buffer.from(html)]), 'van.jpg']]);
    for (const address of (body.pictures as StoredPicture[]).flatMap(objectsOf).map(fileUrl)) {
      expect((await app.inject(address)).rawPayload.includes('alert')).toBe(false);
    }
  });
});

test('deletes a PDF that no message took, and leaves an attached one', async () => {
  const [left, sent] = [await storePdf(db, local, pdf), await storePdf(db, local, pdf)];
  await db.transaction().execute((tx) => attachFiles(tx, [sent.key]));
  await db
    .updateTable('files')
    .set({ changed_at: sql`now() - interval '2 hours'` })
    .execute();
  expect(await deleteOrphanedFiles(db, local)).toBe(1);
  expect([await local.read(left.key), await rows()]).toEqual([undefined, [{ key: sent.key, state: 'attached' }]]);
  expect(await local.read(sent.key)).toBeDefined();
});

const pdf = { name: 'plan.pdf', content: Buffer.from('%PDF-1.7') };
