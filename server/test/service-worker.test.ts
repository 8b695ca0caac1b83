import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
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

const origin = 'https://handwise.example';

/** Sends an event to the worker while these pages are open, and returns what it does. */
async function sendToWorker(type: 'push' | 'notificationclick', event: object, pages: readonly { path: string; focused: boolean }[]) {
  const done: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    location: { origin },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    clients: {
      matchAll: async () =>
        pages.map(({ path, focused }) => ({ url: `${origin}${path}`, focused, focus: async () => void done.push(`focuses ${path}`) })),
      openWindow: async (url: string) => void done.push(`opens ${url}`),
    },
    registration: {
      showNotification: async (_title: string, { silent }: { silent: boolean }) => void done.push(silent ? 'shows silently' : 'shows'),
      getNotifications: async () => [{ close: () => done.push('closes') }],
    },
  };
  runInNewContext((await app.inject('/service-worker.js')).body, { self, URL });
  const waits: Promise<unknown>[] = [];
  listeners.get(type)?.({ ...event, waitUntil: (work: Promise<unknown>) => waits.push(work) });
  await Promise.all(waits);
  return done;
}

test('a notification is silent only while its page has the focus', async () => {
  const push = { data: { json: () => ({ title: 'You have a new message', body: 'Handwise', path: '/messages/one', tag: 'one' }) } };
  const shown = (path: string, focused: boolean) => sendToWorker('push', push, [{ path, focused }]);
  expect(await shown('/messages/one', true)).toEqual(['shows silently', 'closes']);
  expect(await shown('/messages/one', false)).toEqual(['shows']);
  expect(await shown('/messages/two', true)).toEqual(['shows']);
});

test('a notification leads to its page, in the tab that has it, and to no other site', async () => {
  const open = [
    { path: '/home', focused: true },
    { path: '/messages/one', focused: false },
  ];
  const pressed = (path: string) => sendToWorker('notificationclick', { notification: { close() {}, data: { path } } }, open);
  expect(await pressed('/messages/one')).toEqual(['focuses /messages/one']);
  expect(await pressed('/messages/two')).toEqual([`opens ${origin}/messages/two`]);
  expect(await pressed('https://elsewhere.example/messages/one')).toEqual([]);
});
