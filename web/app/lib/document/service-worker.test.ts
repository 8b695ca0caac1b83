import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

const script = readFileSync(join(import.meta.dirname, '../../../service-worker.js'), 'utf8');
const origin = 'https://handwise.example';

type Page = { url: string; focused?: boolean; focus: () => Promise<void> };
type Shown = { title: string; tag: string; silent: boolean; renotify: boolean; body: string; data: { path: string }; close: () => void };

let pages: Page[];
let shown: Shown[];
/** What the worker did, in order. */
let done: string[];
let stored: Map<string, Map<string, Response>>;
let load: () => Promise<Response>;
let worker: EventTarget;

const page = (path: string, focused = false): Page => ({
  url: origin + path,
  focused,
  focus: async () => void done.push(`focused ${path}`),
});

/** Runs the worker with a browser's parts around it. */
function start() {
  const files = (name: string) => {
    const found = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, found);
    return found;
  };
  const caches = {
    open: async (name: string) => ({
      add: async ({ url, cache }: { url: string; cache: string }) => {
        files(name).set(url, new Response('You are offline'));
        done.push(`stored ${url} past the browser's cache: ${cache === 'reload'}`);
      },
    }),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    match: async (path: string) => [...stored.values()].map((cache) => cache.get(path)?.clone()).find(Boolean),
  };
  const self = Object.assign(new EventTarget(), {
    location: new URL('/service-worker.js', origin),
    skipWaiting: () => done.push('skipped waiting'),
    clients: {
      claim: async () => void done.push('claimed'),
      matchAll: async () => pages,
      openWindow: async (url: string) => void done.push(`opened ${url}`),
    },
    registration: {
      navigationPreload: { enable: async () => void done.push('preloads') },
      showNotification: async (title: string, options: Omit<Shown, 'title' | 'close'>) => {
        const one = { title, ...options, close: () => (shown = shown.filter((other) => other !== one)) };
        // One of the same tag is replaced.
        shown = [...shown.filter(({ tag }) => tag !== one.tag), one];
      },
      getNotifications: async ({ tag }: { tag: string }) => shown.filter((one) => one.tag === tag),
    },
  });
  // Node's own has no address without an origin.
  const request = function request(url: string, init: object) {
    return { url, ...init };
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the script's text is our own
  new Function('self', 'caches', 'fetch', 'Request', script)(self, caches, () => load(), request);
  return self;
}

/** Gives the worker an event; resolves once what it waits for has happened, with its answer if it gave one. */
async function give(type: string, parts: object = {}): Promise<Response | undefined> {
  const waits: Promise<unknown>[] = [];
  let answer: Promise<Response> | undefined;
  const event = Object.assign(new Event(type), {
    waitUntil: (work: Promise<unknown>) => waits.push(work),
    respondWith: (response: Promise<Response>) => (answer = response),
    ...parts,
  });
  worker.dispatchEvent(event);
  await Promise.all(waits);
  return answer;
}

beforeEach(() => {
  pages = [];
  shown = [];
  done = [];
  stored = new Map([['shell-old', new Map()]]);
  load = async () => new Response('From the server');
  worker = start();
});

const opening = { request: { mode: 'navigate', method: 'GET' } };
const lost = async () => {
  throw new TypeError('Failed to fetch');
};

test('a new worker stores its own offline page, takes over at once and deletes what earlier ones stored', async () => {
  await give('install');
  expect(done).toEqual(['skipped waiting', "stored /offline.html past the browser's cache: true"]);
  await give('activate');
  expect([...stored.keys()]).toEqual(['shell-SHELL']);
  expect(done.slice(2)).toEqual(['preloads', 'claimed']);
});

test('a page comes from the preload, else from the server, and without a connection it is the offline page', async () => {
  await give('install');
  const text = async (parts: object) => (await give('fetch', { ...opening, ...parts }))?.text();
  expect(await text({ preloadResponse: Promise.resolve(new Response('Preloaded')) })).toBe('Preloaded');
  expect(await text({ preloadResponse: Promise.resolve(undefined) })).toBe('From the server');
  load = lost;
  expect(await text({})).toBe('You are offline');
  expect(await text({ preloadResponse: lost() })).toBe('You are offline');
  stored.clear();
  expect((await give('fetch', opening))?.type).toBe('error');
});

test('the error page of a server that answers is left as it is', async () => {
  await give('install');
  load = async () => new Response('Busy', { status: 503 });
  expect((await give('fetch', opening))?.status).toBe(503);
});

test.each([
  ['a call', { mode: 'cors', method: 'GET' }],
  ['a picture', { mode: 'no-cors', method: 'GET' }],
  ['a form that is sent', { mode: 'navigate', method: 'POST' }],
])('%s goes to the server without the worker', async (_, request) => {
  expect(await give('fetch', { request })).toBeUndefined();
});

const push = (tag: string, path: string) => ({ data: { json: () => ({ title: 'You have a new message', body: 'Handwise', path, tag }) } });
const conversation = push('conversation-one', '/messages/one');

test.each([
  ['without a page', () => []],
  ['with another page in front', () => [page('/messages/two', true), page('/messages/one')]],
])('a push %s makes itself heard, again for the next one, and stays', async (_, open) => {
  pages = open();
  await give('push', push('draw', '/draws/2026-11'));
  for (const round of [1, 2]) {
    await give('push', conversation);
    expect([round, shown]).toMatchObject([
      round,
      [
        { tag: 'draw' },
        { title: 'You have a new message', body: 'Handwise', silent: false, renotify: true, data: { path: '/messages/one' } },
      ],
    ]);
  }
});

test('a push about the page in front is silent and gone at once, and others stay', async () => {
  await give('push', push('draw', '/draws/2026-11'));
  await give('push', conversation);
  pages = [page('/home'), page('/messages/one?from=list', true)];
  let silent: unknown;
  const { registration } = worker as unknown as { registration: { getNotifications: (filter: { tag: string }) => Promise<Shown[]> } };
  const { getNotifications } = registration;
  registration.getNotifications = async (filter) => {
    silent = shown.map((one) => [one.tag, one.silent, one.renotify]);
    return getNotifications(filter);
  };
  await give('push', conversation);
  expect(silent).toEqual([
    ['draw', false, true],
    ['conversation-one', true, false],
  ]);
  expect(shown.map(({ tag }) => tag)).toEqual(['draw']);
});

const press = async (path: string) => {
  let closed = false;
  await give('notificationclick', { notification: { data: { path }, close: () => (closed = true) } });
  return closed;
};

test('a pressed notification is closed, and brings its open page to the front or opens one', async () => {
  pages = [page('/home', true), page('/messages/one?from=list')];
  expect(await press('/messages/one')).toBe(true);
  expect(done).toEqual(['focused /messages/one?from=list']);
  expect(await press('/messages/two')).toBe(true);
  expect(done.slice(1)).toEqual([`opened ${origin}/messages/two`]);
});

test.each(['https://evil.example/messages/one', '//evil.example', 'javascript:alert(1)'])(
  'a notification does not lead to %s',
  async (path) => {
    pages = [page('/messages/one')];
    expect(await press(path)).toBe(true);
    expect(done).toEqual([]);
  },
);
