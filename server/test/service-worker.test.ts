import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';

const { app } = await testApp({}, await testSite());
const publicFile = (path: string) => join(import.meta.dirname, '../../web/public', path);

test('sends the service worker with the hash of the offline page, and neither may be cached', async () => {
  const worker = await app.inject('/service-worker.js');
  expect([worker.statusCode, worker.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(worker.headers['cache-control']).toBe('no-cache');
  expect(worker.body).toMatch(/'shell-[\da-f]{12}'/);
  const offline = await app.inject('/offline.html');
  expect([offline.statusCode, offline.headers['cache-control']]).toEqual([200, 'no-cache']);
  expect(offline.body).toContain('You are offline');
  // It must not need another file, which could not be loaded.
  expect(offline.body).not.toMatch(/(src|href)="\//);
});

test('the manifest names icons of the sizes that an installable site needs', async () => {
  const manifest = JSON.parse((await app.inject('/site.webmanifest')).body) as {
    display: string;
    start_url: string;
    icons: { src: string; sizes: string; purpose?: string }[];
  };
  expect([manifest.display, manifest.start_url]).toEqual(['standalone', '/home']);
  const pictures = manifest.icons.filter(({ src }) => src.endsWith('.png'));
  expect(pictures.map(({ sizes, purpose = 'any' }) => `${sizes} ${purpose}`)).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
  for (const { src, sizes } of pictures) {
    const { width, height } = await sharp(publicFile(src)).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
});
