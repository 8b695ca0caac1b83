import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { automatedDecisions } from '@handwise/contract/site/automated-decisions';
import { testApp } from '@handwise/sandbox/testing/app';
import { readPdfText } from '@handwise/sandbox/testing/pdf';
import { testSite } from '@handwise/sandbox/testing/site';
import { renderMail } from '../src/kit/mail/mail-layout.ts';

// The whole site under another name: nothing may name the one that it has by default.
const environment = {
  SITE: JSON.stringify({
    name: 'Tradie Post',
    accent: '#1d4ed8',
    nzbn: '9429000000031',
    senderEmail: 'post@tradiepost.nz',
    supportEmail: 'help@tradiepost.nz',
    legalName: 'Tradie Post Limited',
    legalAddress: '9 Quay Street, Nelson 7010, New Zealand',
  }),
  APP_URL: 'https://tradiepost.nz',
};
const { app, given, callers, outbox, parts } = await testApp(environment, await testSite());

// Technical names, such as that of a header, are in lower case.
const defaults = /Handwise|handwise\.example|1 Example Street/;
// Other amounts of $1,000 are in filters.
const defaultPrize = /\$1,000 (prize|monthly|draw|in money|is yours)|(worth|wins|won) \$1,000(?![,\d])/;
const operator = 'Tradie Post Limited, 9 Quay Street, Nelson 7010, New Zealand, NZBN 9429000000031 · help@tradiepost.nz';

const { seller, listing } = await given.published('basic');
const admin = await given.administrator();
const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ff0000' } })
  .png()
  .toBuffer();
const { logo } = (await callers.as(admin).postForm('/admin/settings/logo', {}, [{ field: 'logo', name: 'logo.png', bytes: picture }])).body;
await callers.as(admin).put('/admin/settings', {
  values: { logo, hosting: 'Catalyst Cloud, New Zealand', prize: '2500' },
  reason: 'first',
  acceptsUnmet: true,
});
await parts.buildDocuments();
await parts.context.events.catchUp();

async function listPages(): Promise<string[]> {
  const { body } = await app.inject('/sitemaps/pages.xml');
  const known = [...body.matchAll(/<loc>https:\/\/tradiepost\.nz([^<]*)<\/loc>/g)].map(([, path = '']) => path || '/');
  return [
    ...known,
    `/listing/${listing._id}`,
    '/search?q=plumber',
    '/search?category=wizardry',
    '/home',
    '/auth/login',
    '/auth/register',
    '/auth/forgot-password',
    '/nowhere',
  ];
}

test('every page names the site, its legal person, postal address and support address', async () => {
  const pages = await listPages();
  expect(pages.length).toBeGreaterThan(20);
  for (const url of pages) {
    const { body } = await app.inject({ url, headers: { accept: 'text/html' } });
    expect([url, defaults.exec(body)?.[0]]).toEqual([url, undefined]);
    expect([url, defaultPrize.exec(body.replaceAll('<!-- -->', ''))?.[0]]).toEqual([url, undefined]);
    expect([url, body.includes('Tradie Post')]).toEqual([url, true]);
    expect([url, body.includes(`--site-logo:url(${logo})`)]).toEqual([url, true]);
    const footer = /<footer.*<\/footer>/s.exec(body)?.[0] ?? '';
    const text = footer.replaceAll('<!-- -->', '');
    expect([url, text.includes(operator)]).toEqual([url, true]);
  }
}, 120_000);

test('legal pages name the operator in their own text, and who works for it', async () => {
  for (const url of ['/privacy', '/terms', '/contact']) {
    const { body } = await app.inject(url);
    const main = (/<main.*<\/main>/s.exec(body)?.[0] ?? '').replaceAll('<!-- -->', '');
    expect([url, main.includes(operator)]).toEqual([url, true]);
  }
  const { body } = await app.inject('/privacy');
  const text = body.replaceAll('<!-- -->', '');
  expect(text).toContain('Catalyst Cloud, for servers, database, files and backups (New Zealand)');
  for (const { decision, again } of automatedDecisions) expect([text.includes(decision), text.includes(again)]).toEqual([true, true]);
});

test('pages about the draw say the prize that is set, in money', async () => {
  for (const url of ['/terms', '/draws', '/draw-rules'])
    expect([url, (await app.inject(url)).body.includes('$2,500')]).toEqual([url, true]);
  expect((await app.inject('/draw-rules')).body.replaceAll('<!-- -->', '')).toContain('$2,500 in money');
});

test('pages take the accent colour', async () => {
  expect((await app.inject('/')).body).toContain('--accent:#1d4ed8');
});

test.each([
  '/llms.txt',
  '/site.webmanifest',
  '/robots.txt',
  '/api/openapi.json',
  '/api/docs',
  '/api/config',
  '/offline.html',
  '/service-worker.js',
  '/mcp',
])('%s names no other site', async (url) => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const { body } =
    url === '/mcp'
      ? await app.inject({ method: 'POST', url, headers: { accept: 'application/json, text/event-stream' }, payload: initialize })
      : await app.inject(url);
  expect(body.length).toBeGreaterThan(10);
  expect(defaults.exec(body)?.[0]).toBeUndefined();
});

test('emails name the site, who runs it and where to write to', async () => {
  await outbox.runJobs();
  const mails = await outbox.mails();
  expect(mails.length).toBeGreaterThan(1);
  for (const mail of mails) {
    const { html, text } = renderMail(mail, 'https://tradiepost.nz');
    for (const part of [html, text, mail.subject])
      expect([defaults.exec(part)?.[0], defaultPrize.exec(part)?.[0]]).toEqual([undefined, undefined]);
    for (const part of [html, text]) expect(part).toContain(operator);
    expect(html).toContain(logo.replace('.webp', '-192.png'));
  }
});

test('a tax invoice is drawn under the name of the site', async () => {
  const { body } = await callers.as(seller).get('/receipt/all');
  const pdf = await app.inject({ url: `/api/receipt/${body.data[0]._id}/pdf`, headers: { authorization: `Bearer ${seller.token}` } });
  const texts = readPdfText(pdf.rawPayload);
  expect(texts).toContain('Tradie Post Limited');
  expect(defaults.exec(texts)?.[0]).toBeUndefined();
});

test('no source but the defaults names a site', () => {
  const root = join(import.meta.dirname, '../..');
  const isSource = (path: string) => /\.(ts|tsx|js|css|svg|html|json)$/.test(path) && !/\.test\.tsx?$|\.generated\.ts$/.test(path);
  const files = ['contract/src', 'server/src', 'web/app', 'web/public'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter(isSource),
  );
  const naming = [...files, 'web/service-worker.js'].filter((path) =>
    [defaults, defaultPrize].some((one) => one.test(readFileSync(join(root, path), 'utf8').replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, ''))),
  );
  expect(naming).toEqual(['contract/src/site/default-site.ts']);
});
