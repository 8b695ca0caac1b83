import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { renderMail } from '../../kit/mail/mail-layout.ts';

const { app, db, given, callers } = await testApp({ APP_URL: 'https://tradiepost.nz' }, await testSite());
const { as } = callers;
const admin = await given.administrator();
const { seller } = await given.published('basic');

const red = await sharp({ create: { width: 900, height: 600, channels: 4, background: '#ff0000' } })
  .withExif({ IFD0: { Artist: 'Mere Kahu' } })
  .png()
  .toBuffer();
const upload = (bytes: Buffer, name = 'logo.png', by = admin) =>
  as(by).postForm('/admin/settings/logo', {}, [{ field: 'logo', name, bytes }]);
const version = async () => (await as(admin).get('/admin/settings')).body.version;
const save = async (values: object) => as(admin).put('/admin/settings', { version: await version(), reason: 'Our logo', values });
const invoice = async () => {
  const { body } = await as(seller).get('/receipt/all');
  return (await app.inject({ url: `/api/receipt/${body.data[0]._id}/pdf`, headers: { authorization: `Bearer ${seller.token}` } }))
    .rawPayload;
};
const hasPicture = (pdf: Buffer) => pdf.includes('/Subtype /Image');
const mail = () => renderMail({ to: 'a@example.org', subject: 'x', preview: 'x', blocks: [] }, 'https://tradiepost.nz').html;

test('an uploaded logo is shown once it is saved: on pages, in emails and documents, as icons; and it can be removed again', async () => {
  const plain = await invoice();
  const { status, body } = await upload(red);
  expect([status, body.logo]).toEqual([200, expect.stringMatching(/^\/files\/logos\/.*\.webp$/)]);
  const icon = (end: string) => body.logo.replace('.webp', end);
  const page = async () => (await app.inject('/terms')).body;
  expect(await page()).not.toContain(body.logo);
  expect(mail()).not.toContain('<img');

  expect(await save({ logo: body.logo })).toMatchObject({ status: 200, body: { settings: { logo: body.logo } } });
  expect(await page()).toContain(`--site-logo:url(${body.logo});--built-in-mark:0`);
  expect(mail()).toContain(`src="https://tradiepost.nz${icon('-192.png')}"`);
  const manifest = JSON.parse((await app.inject('/site.webmanifest')).body);
  expect(manifest.icons).toEqual([
    { src: icon('-192.png'), sizes: '192x192', type: 'image/png' },
    { src: icon('-512.png'), sizes: '512x512', type: 'image/png' },
    { src: icon('-mask.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ]);
  for (const [path, end] of [
    ['/favicon.svg', '-192.png'],
    ['/apple-touch-icon.png', '-180.png'],
    ['/icon-192.png?v=1', '-192.png'],
    ['/icon-maskable-512.png', '-mask.png'],
  ] as const) {
    const answer = await app.inject(path);
    expect([path, answer.statusCode, answer.headers.location]).toEqual([path, 302, icon(end)]);
  }
  const pdf = await invoice();
  expect([hasPicture(plain), hasPicture(pdf)]).toEqual([false, true]);

  expect((await save({ logo: '' })).status).toBe(200);
  expect(await page()).not.toContain('--site-logo');
  expect(mail()).not.toContain('<img');
  expect((await app.inject('/favicon.svg')).statusCode).not.toBe(302);
  expect(hasPicture(await invoice())).toBe(false);
  // Sent emails still show it, and it can be chosen again.
  expect((await app.inject(icon('-192.png'))).statusCode).toBe(200);
  expect((await save({ logo: body.logo })).status).toBe(200);
  const { history } = (await as(admin).get('/admin/settings')).body;
  expect(history[0]).toMatchObject({ by: admin.fullName, reason: 'Our logo', before: { logo: '' }, after: { logo: body.logo } });
});

test('the files are encoded anew: in their sizes, without what the upload said besides', async () => {
  const { body } = await upload(red);
  for (const [end, width, height] of [
    ['.webp', 256, 171],
    ['-180.png', 180, 180],
    ['-192.png', 192, 192],
    ['-512.png', 512, 512],
    ['-mask.png', 512, 512],
  ] as const) {
    const { rawPayload } = await app.inject(body.logo.replace('.webp', end));
    const data = await sharp(rawPayload).metadata();
    expect([end, data.width, data.height, data.exif]).toEqual([end, width, height, undefined]);
  }
  // A phone's home screen has no ground of its own.
  const { channels } = await sharp((await app.inject(body.logo.replace('.webp', '-180.png'))).rawPayload).stats();
  expect(channels[3]?.min ?? 255).toBe(255);
});

test.each([
  [
    'a drawing that can hold scripts',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    'unsupported_picture',
  ],
  ['no picture', Buffer.from('hello'), 'unsupported_picture'],
  ['a cut picture', red.subarray(0, 300), 'unsupported_picture'],
])('refuses %s', async (_what, bytes, code) => {
  expect(await upload(bytes)).toMatchObject({ status: 400, body: { code } });
});

test('refuses a logo that was not uploaded for the site, or is gone', async () => {
  const [{ body }, before] = [await upload(red), await version()];
  await db.deleteFrom('files').execute();
  for (const logo of [
    body.logo,
    '/files/logos/00/000000000000000000000000.webp',
    'https://example.org/x.webp',
    '/files/pictures/00/0.webp',
  ]) {
    expect([logo, await save({ logo })]).toMatchObject([logo, { status: 400, body: { errors: [{ field: 'values.logo' }] } }]);
  }
  expect(await version()).toBe(before);
});

test('only administrators upload it', async () => {
  expect((await upload(red, 'logo.png', await given.user())).status).toBe(403);
});

test('asks for another upload only if this one is gone, not if the database fails', async () => {
  const { body } = await upload(red);
  await sql`alter table files rename to mislaid`.execute(db);
  const failed = await save({ logo: body.logo });
  await sql`alter table mislaid rename to files`.execute(db);
  expect(failed).toMatchObject({ status: 500 });
  expect((await save({ logo: body.logo })).status).toBe(200);
});
