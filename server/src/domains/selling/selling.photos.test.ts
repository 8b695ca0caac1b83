import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterEach, expect, test, vi } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo, photos } from '@handwise/sandbox/testing/photos';
import { defineJob } from '@handwise/server/kit/jobs';
import { deleteOrphanedFiles } from '@handwise/server/kit/stored-files';
import { AppError } from '../../kit/errors.ts';

const { app, given, db, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { runJobs } = outbox;
const { context } = parts;
const { jobs, store } = context;

afterEach(() => vi.restoreAllMocks());

const megabyte = 1024 * 1024;
const logoFile = async (color = '#3a3') => ({ field: 'logo', name: 'logo.png', bytes: await photo(300, color) });
/** The same picture padded to a length; bytes after its end are not read. */
const padded = (bytes: Uint8Array, length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)]);

type Files = Parameters<ReturnType<typeof as>['postForm']>[2];

async function seller(plan: 'basic' | 'premium' | 'featured' = 'basic') {
  const user = await given.user();
  const paymentId = await given.payment(user, plan);
  return {
    user,
    publish: (files: Files, more: Record<string, string> = {}) =>
      as(user).postForm('/listing/create', given.listingForm(plan, { paymentId, ...more }), files),
  };
}

async function published(files: Files, plan: 'basic' | 'premium' | 'featured' = 'basic', more: Record<string, string> = {}) {
  const { seller: user, listing } = await given.published(plan, files, more);
  const url = `/listing/${listing._id}`;
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm(plan);
  return {
    listing,
    edit: (changes: Record<string, string> = {}, added: Files = []) => as(user).putForm(url, { ...form, ...changes }, added),
  };
}

const statusOf = async (address: string) => (await app.inject(address)).statusCode;
const notAttached = () => db.selectFrom('files').select('key').where('state', '<>', 'attached').execute();

test.each([
  ['basic', 5],
  ['premium', 10],
  ['featured', 15],
] as const)('the %s plan takes %i photos and not one more', async (plan, most) => {
  const { publish } = await seller(plan);
  const refused = await publish(await photos(most + 1));
  const message = plan === 'featured' ? 'Choose at most 15 files' : `Your plan has up to ${most} photos; you chose ${most + 1}.`;
  expect([refused.status, refused.body.code, refused.body.errors]).toEqual([400, 'too_many_files', [{ field: 'serviceImages', message }]]);
  const { status, body } = await publish(await photos(most));
  expect([status, body.listing.pictures.length]).toEqual([201, most]);
});

test('limits photos to 5 MB and logos to 2 MB, to the byte', async () => {
  const { publish } = await seller();
  const bytes = await photo(200);
  const photoOf = (length: number) => ({ field: 'serviceImages', name: 'van.jpg', bytes: padded(bytes, length) });
  const logoOf = (length: number) => ({ field: 'logo', name: 'sign.jpg', bytes: padded(bytes, length) });
  expect(await publish([photoOf(5 * megabyte + 1)])).toMatchObject({
    status: 413,
    body: { code: 'file_too_large', errors: [{ field: 'serviceImages[0]', message: '“van.jpg” is larger than 5 MB.' }] },
  });
  expect(await publish([logoOf(2 * megabyte + 1)])).toMatchObject({
    status: 413,
    body: { code: 'file_too_large', errors: [{ field: 'logo', message: '“sign.jpg” is larger than 2 MB.' }] },
  });
  expect(readdirSync(app.uploadsDir)).toEqual([]);
  expect((await publish([photoOf(5 * megabyte), logoOf(2 * megabyte)])).status).toBe(201);
  expect(readdirSync(app.uploadsDir)).toEqual([]);
});

test('numbers photos in their alternative texts', async () => {
  const { listing, edit } = await published(await photos(2));
  const alts = (one: { pictures: { alt: string }[] }) => one.pictures.map((picture) => picture.alt);
  expect(alts(listing)).toEqual(['Friendly local plumber, photo 1', 'Friendly local plumber, photo 2']);
  const { body } = await edit({ serviceImageOrder: '[]' }, await photos(1));
  expect(alts(body.listing)).toEqual(['Friendly local plumber']);
});

test('strips metadata from photos and logos', async () => {
  const secret = await sharp(await photo(300))
    .withExif({ IFD0: { Make: 'Secret Camera' }, IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '36/1 51/1 30/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><note>Secret Street 9</note></x:xmpmeta>')
    .toBuffer();
  expect([secret.includes('Secret Camera'), secret.includes('Secret Street')]).toEqual([true, true]);
  const { listing } = await published([
    { field: 'serviceImages', name: 'van.jpg', bytes: secret },
    { field: 'logo', name: 'logo.jpg', bytes: secret },
  ]);
  const [picture] = listing.pictures;
  const addresses = [listing.logo, ...`${picture.srcSet}, ${picture.avifSrcSet}`.split(', ').map((one) => one.split(' ')[0])];
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    const { rawPayload } = await app.inject(address);
    const { exif, xmp, icc } = await sharp(rawPayload).metadata();
    expect([address, exif, xmp, icc, rawPayload.includes('Secret')]).toEqual([address, undefined, undefined, undefined, false]);
  }
});

test('serves files immutable, with their type and without sniffing', async () => {
  const { listing } = await published([...(await photos(1)), await logoFile()]);
  const [picture] = listing.pictures;
  for (const [address, type] of [
    [picture.src, 'image/webp'],
    [picture.avifSrcSet.split(' ')[0], 'image/avif'],
    [listing.logo, 'image/webp'],
  ]) {
    expect((await app.inject(address)).headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, s-maxage=600, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
  }
});

test('keeps the logo and its colour when an edit omits them', async () => {
  const { listing, edit } = await published([await logoFile()], 'basic', { defaultLogoColor: '#EF4444' });
  const { body } = await edit({ serviceTitle: 'Hot water experts' });
  expect([body.listing.serviceTitle, body.listing.logo, body.listing.logoColor]).toEqual(['Hot water experts', listing.logo, '#EF4444']);
  await deleteOrphanedFiles(db, store, 0);
  expect(await statusOf(listing.logo)).toBe(200);
});

test('replaces the logo by a new one or a letter, and deletes unused files', async () => {
  const { listing, edit } = await published([await logoFile()]);
  const second = (await edit({}, [await logoFile('#33a')])).body.listing.logo;
  expect(second).not.toBe(listing.logo);
  await deleteOrphanedFiles(db, store, 0);
  expect([await statusOf(listing.logo), await statusOf(second)]).toEqual([404, 200]);
  const { body } = await edit({ usingDefaultLogo: 'true', defaultLogoColor: '#84CC16' });
  expect([body.listing.logo, body.listing.logoColor]).toEqual(['', '#84CC16']);
  await deleteOrphanedFiles(db, store, 0);
  expect(await statusOf(second)).toBe(404);
});

test('deletes removed photos only', async () => {
  const { listing, edit } = await published([...(await photos(3)), await logoFile()]);
  const [first, second, third] = listing.serviceImages;
  await edit({ serviceImageOrder: JSON.stringify([third, first]) });
  await deleteOrphanedFiles(db, store, 0);
  const statuses = await Promise.all([first, second, third, listing.logo].map(statusOf));
  expect(statuses).toEqual([200, 404, 200, 200]);
});

test('appends unordered new photos and rejects duplicates', async () => {
  const { listing, edit } = await published(await photos(2));
  const [first, second] = listing.serviceImages;
  const twice = await edit({ serviceImageOrder: JSON.stringify([first, first]) });
  expect(twice).toMatchObject({
    status: 400,
    body: {
      errors: [{ field: 'serviceImageOrder', message: 'One of these pictures could not be found. Please reload the page and try again.' }],
    },
  });
  const { body } = await edit({ serviceImageOrder: JSON.stringify(['new:1', second]) }, await photos(2));
  expect(body.listing.serviceImages).toHaveLength(3);
  expect(body.listing.serviceImages[1]).toBe(second);
  expect(await notAttached()).toHaveLength(1);
});

test('allows edits but no new photos beyond the plan’s limit', async () => {
  const { listing, edit } = await published(await photos(6), 'premium');
  await sql`update listings set plan_rank = 1 where id = ${listing._id}`.execute(db);
  expect((await edit({ serviceTitle: 'Hot water experts' })).status).toBe(200);
  const { status, body } = await edit({}, await photos(1));
  expect([status, body.errors[0].message]).toEqual([400, 'Your plan has up to 5 photos; you chose 7.']);
});

test.each([
  ['the store is full when the logo comes', 507, 'storage_full'],
  ['the store breaks when the logo comes', 503, 'storage_unavailable'],
] as const)('where %s, no photo stays behind and nothing is published', async (_, status, code) => {
  const { publish } = await seller();
  const put = store.put.bind(store);
  vi.spyOn(store, 'put').mockImplementation(async (key, ...file) => {
    if (key.startsWith('logos/')) throw new AppError(code);
    await put(key, ...file);
  });
  const before = await db.selectFrom('files').select('key').execute();
  const refused = await publish([...(await photos(2)), await logoFile()]);
  expect([refused.status, refused.body.code]).toEqual([status, code]);
  expect(await db.selectFrom('files').select('key').execute()).toHaveLength(before.length);
  vi.restoreAllMocks();
  expect((await publish([...(await photos(2)), await logoFile()])).status).toBe(201);
});

test('leaves no files of a second listing under one payment', async () => {
  const { publish } = await seller();
  await deleteOrphanedFiles(db, store, 0);
  const answers = await Promise.all([
    publish(await photos(1), { submissionId: 'first-one' }),
    publish(await photos(1), { submissionId: 'second-one' }),
  ]);
  expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  expect(await notAttached()).toEqual([]);
});

test('deletes unused files after an hour', async () => {
  const { listing, edit } = await published([await logoFile()]);
  await edit({ usingDefaultLogo: 'true' });
  const sweep = defineJob<object>('files.delete-orphans', {});
  const ageBy = (minutes: number) => sql`update files set changed_at = changed_at - make_interval(mins => ${minutes})`.execute(db);
  for (const [minutes, status] of [
    [59, 200],
    [2, 404],
  ] as const) {
    // prettier-ignore
    await ageBy(minutes);
    await jobs.send(db, sweep, {});
    await runJobs();
    expect(await statusOf(listing.logo)).toBe(status);
  }
});

test('checks photos before anything is paid: names the ones that cannot be used, and stores nothing', async () => {
  const user = await given.user();
  const broken = (await photo(300)).subarray(0, 200);
  const pixel = await readFile(join(import.meta.dirname, '../../../test/pictures/pixel-18-stray-bytes.jpg'));
  const files = [
    { field: 'serviceImages', name: 'van.jpg', bytes: await photo(300) },
    { field: 'serviceImages', name: 'broken.jpg', bytes: Buffer.from(broken) },
    { field: 'serviceImages', name: 'pixel.jpg', bytes: pixel },
    { field: 'serviceImages', name: 'notes.txt', bytes: Buffer.from('Not a picture') },
    { field: 'logo', name: 'logo.svg', bytes: Buffer.from('<svg/>') },
  ];
  const { status, body } = await as(user).postForm('/listing/check-photos', {}, files);
  expect([status, body.refused]).toEqual([
    200,
    [
      { field: 'serviceImages[1]', message: '“broken.jpg” is damaged or incomplete.' },
      { field: 'serviceImages[3]', message: '“notes.txt” is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.' },
      { field: 'logo', message: '“logo.svg” is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.' },
    ],
  ]);
  expect(await notAttached()).toEqual([]);
  expect(readdirSync(app.uploadsDir)).toEqual([]);
  expect((await asVisitor.postForm('/listing/check-photos', {}, files)).status).toBe(401);
  const { listing } = await published([{ field: 'serviceImages', name: 'pixel.jpg', bytes: pixel }]);
  expect(listing.pictures).toHaveLength(1);
});
