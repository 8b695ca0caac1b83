import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { serveAssets } from './pages.ts';

const code = 'export const one = 1;';

async function site() {
  const dir = mkdtempSync(join(tmpdir(), 'handwise-assets-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'assets'));
  writeFileSync(join(dir, 'assets/one-1a2b.js'), code);
  writeFileSync(join(dir, 'assets/one-1a2b.js.br'), brotliCompressSync(code));
  writeFileSync(join(dir, 'assets/one-1a2b.js.gz'), gzipSync(code));
  writeFileSync(join(dir, 'assets/two-1a2b.js'), code);
  writeFileSync(join(dir, 'favicon.svg'), '<svg/>');
  const app = Fastify();
  onTestFinished(() => app.close());
  await serveAssets(app, dir);
  return (url: string, accepted = 'br, gzip', headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { 'accept-encoding': accepted, ...headers } });
}

test('caches a file with a hash in its name for ever, others for an hour', async () => {
  const get = await site();
  expect((await get('/assets/one-1a2b.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
});

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
] as const)('whoever accepts %s gets the file as %s, as it was compressed when the site was built', async (accepted, encoding, unpack) => {
  const get = await site();
  const { headers, rawPayload } = await get('/assets/one-1a2b.js', accepted);
  expect(headers['content-encoding']).toBe(encoding);
  expect(headers['vary']).toMatch(/accept-encoding/i);
  expect(unpack(rawPayload).toString()).toBe(code);
});

test('sends a file uncompressed if it has no compressed version or the client accepts none', async () => {
  const get = await site();
  for (const answer of [await get('/assets/two-1a2b.js'), await get('/assets/one-1a2b.js', 'identity')]) {
    expect([answer.statusCode, answer.headers['content-encoding'], answer.body]).toEqual([200, undefined, code]);
  }
});

test('answers 304 to a client that has the file', async () => {
  const get = await site();
  const { etag = '' } = (await get('/favicon.svg')).headers;
  const again = await get('/favicon.svg', 'br', { 'if-none-match': etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});
