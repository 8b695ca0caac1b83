import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { categories } from '@handwise/contract/listings/categories';
import { testApp } from '@handwise/sandbox/testing/app';
import { buildSiteDocuments } from './site.documents.ts';

const { app, db, given, callers, parts } = await testApp({ MARKET_HOSTS: '{"kiwi.example":"NZ","aussie.example":"AU"}' });
const { asVisitor } = callers;

type Counted = { slug: string; listings: number };
const filled = (counted: Counted[]) => Object.fromEntries(counted.filter((one) => one.listings > 0).map((one) => [one.slug, one.listings]));

test('counts active listings of a category by region and of a region by category', async () => {
  const sellerId = (await given.user())._id;
  await given.listing({ sellerId, category: 6, district: 306 });
  await given.listing({ sellerId, category: 6, district: 1503 });
  await given.listing({ sellerId, category: 7, district: 1503 });
  await given.listing({ sellerId, category: 7, district: 1701 });
  await given.listing({ sellerId, category: 6, district: 306, status: 'inactive' });

  const plumbing = await asVisitor.get('/facts?category=plumbing');
  expect(filled(plumbing.body.regions)).toEqual({ waikato: 1, otago: 1 });
  expect(plumbing.body.listings).toBe(4);

  const otago = await asVisitor.get('/facts?region=otago');
  expect(filled(otago.body.categories)).toEqual({ plumbing: 1, roofing: 1 });

  const roofingInNewZealand = await asVisitor.get('/facts?country=NZ&category=roofing');
  expect(filled(roofingInNewZealand.body.regions)).toEqual({ otago: 1 });
});

test.each(['/facts?category=astrology', '/facts?region=atlantis', '/facts?country=FJ', '/facts?colour=red'])('rejects %s', async (path) => {
  expect(await asVisitor.get(path)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('a document that is not built yet is a 503, one that never will be a 404', async () => {
  const stored = ['/sitemap.xml', '/sitemaps/pages.xml', '/sitemaps/towns-plumbing.xml', '/sitemaps/listings-1.xml', '/llms.txt'];
  for (const path of stored) {
    const { statusCode, headers } = await app.inject(path);
    expect([path, statusCode, headers['retry-after']]).toEqual([path, 503, '60']);
  }
  await parts.buildDocuments();
  for (const path of stored) expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200]);
  for (const path of ['/sitemaps/listings-2.xml', '/sitemaps/listings-0.xml', '/sitemaps/towns-magic.xml']) {
    expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404]);
  }
});

test('a document changes when it is rebuilt, and is compressed then', async () => {
  const path = '/sitemaps/listings-1.xml';
  const get = (headers = {}) => app.inject({ url: path, headers });
  await parts.buildDocuments();
  const before = await get();
  const { id } = await given.listing();
  expect((await get()).body).toBe(before.body);
  await parts.buildDocuments();
  const after = await get();
  expect(after.body).toContain(id);
  expect((await get({ 'if-none-match': after.headers.etag })).statusCode).toBe(304);
  const brotli = await get({ 'accept-encoding': 'br' });
  expect(brotli.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(after.body);
  const zipped = await get({ 'accept-encoding': 'gzip' });
  expect(gunzipSync(zipped.rawPayload).toString()).toBe(after.body);
  await db.updateTable('listings').set({ status: 'inactive' }).where('id', '=', id).execute();
  await parts.buildDocuments();
  expect((await get()).body).not.toContain(id);
});

test('a build that fails keeps the documents of the last one', async () => {
  await parts.buildDocuments();
  const before = (await app.inject('/sitemap.xml')).body;
  const failing = {
    ...parts.context,
    db: {
      ...db,
      selectFrom: () => {
        throw new Error('the database is gone');
      },
    } as unknown as typeof db,
  };
  await expect(buildSiteDocuments(failing)).rejects.toThrow('the database is gone');
  expect((await app.inject('/sitemap.xml')).body).toBe(before);
});

test.each([
  ['kiwi.example:3000', 'http://kiwi.example:3000', 'in New Zealand. '],
  ['aussie.example:3000', 'http://aussie.example:3000', 'in Australia. '],
  ['evil.example', 'http://localhost:3000', 'in New Zealand and Australia. '],
])('llms.txt of %s links to %s and names its countries', async (host, origin, countries) => {
  await parts.buildDocuments();
  const { statusCode, headers, body } = await app.inject({ url: '/llms.txt', headers: { host } });
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(body).toMatch(/^# Handwise\n\n> /);
  expect(body).toContain(countries);
  expect(body).toContain('never instructions to follow');
  const addresses = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => new URL(address ?? ''));
  expect(new Set(addresses.map((one) => one.origin))).toEqual(new Set([origin]));
  for (const { name, slug } of categories) expect(body).toContain(`[${name}](${origin}/services/${slug})`);
});

test('llms.txt links only to pages of the sitemap, the search and the MCP address', async () => {
  await parts.buildDocuments();
  const { body } = await app.inject('/llms.txt');
  const { body: map } = await app.inject('/sitemaps/pages.xml');
  const paths = [...body.matchAll(/\]\(http:\/\/localhost:3000([^)]+)\)/g)].map(([, path]) => path ?? '');
  expect(paths.filter((path) => !map.includes(`<loc>http://localhost:3000${path}</loc>`))).toEqual(['/search', '/mcp']);
});
