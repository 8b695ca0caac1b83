import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as LiveEvents from './live-events.ts';
import { until } from '../testing/until.ts';

type Tab = { live: typeof LiveEvents; received: string[]; close: () => Promise<void> };
type Stream = { token: string; last: string | undefined; write: (text: string) => void; hangUp: () => void; ended: () => boolean };

const stored = new Map<string, string>();
let streams: Stream[] = [];
let open: Tab[] = [];
let userId = '';
let status = 200;
let browser: EventTarget;

beforeEach(() => {
  streams = [];
  open = [];
  // Each test has its own browser.
  userId = crypto.randomUUID();
  status = 200;
  stored.set('user', JSON.stringify({ _id: userId, token: 'token-of-mere' }));
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  vi.stubGlobal('fetch', (_url: string, { headers, signal }: { headers: Record<string, string>; signal: AbortSignal }) => {
    let out: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        out = controller;
      },
    });
    signal.addEventListener('abort', () => out?.error(new Error('aborted')));
    streams.push({
      token: headers['Authorization'] ?? '',
      last: headers['Last-Event-ID'],
      write: (text) => out?.enqueue(new TextEncoder().encode(text)),
      hangUp: () => out?.close(),
      ended: () => signal.aborted,
    });
    return Promise.resolve(new Response(body, { status }));
  });
});
afterEach(async () => {
  for (const tab of open) await tab.close();
  vi.unstubAllGlobals();
});

async function openTab(): Promise<Tab> {
  vi.resetModules();
  const live = await import('./live-events.ts');
  const session = await import('../session/stored-user.ts');
  const received: string[] = [];
  const stops = [
    live.onLive('unread', ({ conversations }) => received.push(`unread ${conversations}`)),
    live.onLive('reset', () => received.push('reset')),
  ];
  const close = async () => {
    for (const stop of stops.splice(0)) stop();
    await until(() => expect(live.liveState()).toBe('connecting'));
  };
  const tab = { live, received, close, session };
  open.push(tab);
  return tab;
}

const unread = (id: number, conversations: number) => `id: ${id}\nevent: unread\ndata: {"conversations":${conversations}}\n\n`;
async function streamOf(count: number): Promise<Stream> {
  await until(() => expect(streams).toHaveLength(count));
  const stream = streams.at(-1);
  if (!stream) throw new Error('no stream');
  return stream;
}

test('reports a reset when a stream starts, then its events', async () => {
  const tab = await openTab();
  const stream = await streamOf(1);
  expect(stream).toMatchObject({ token: 'Bearer token-of-mere', last: undefined });
  stream.write(unread(5, 2));
  await until(() => expect(tab.received).toEqual(['reset', 'unread 2']));
  expect(tab.live.liveState()).toBe('live');
});

test('shares one stream between tabs, each event once per tab', async () => {
  const first = await openTab();
  const stream = await streamOf(1);
  stream.write(unread(5, 1));
  await until(() => expect(first.received).toContain('unread 1'));
  const second = await openTab();
  await until(() => expect(second.live.liveState()).toBe('live'));
  stream.write(unread(6, 2) + unread(7, 3));
  await until(() => expect(second.received).toEqual(['unread 2', 'unread 3']));
  expect(first.received).toEqual(['reset', 'unread 1', 'unread 2', 'unread 3']);
  expect(streams).toHaveLength(1);
});

test('resumes in another tab after the last event when the leader closes, without repeats', async () => {
  const first = await openTab();
  (await streamOf(1)).write(unread(5, 1));
  await until(() => expect(first.received).toContain('unread 1'));
  const second = await openTab();
  await until(() => expect(second.live.liveState()).toBe('live'));
  await first.close();
  const stream = await streamOf(2);
  expect(streams[0]?.ended()).toBe(true);
  expect(stream.last).toBe('5');
  stream.write(unread(5, 1) + unread(6, 4));
  await until(() => expect(second.received).toEqual(['unread 4']));
});

test('restarts the ids at a reset', async () => {
  const tab = await openTab();
  const stream = await streamOf(1);
  stream.write(unread(500, 1));
  stream.write(`id: 3\nevent: reset\ndata: {}\n\n${unread(4, 2)}`);
  await until(() => expect(tab.received).toEqual(['reset', 'unread 1', 'reset', 'unread 2']));
});

test('ends the stream on sign-out', async () => {
  const tab = (await openTab()) as Tab & { session: { forgetUser: () => void } };
  const stream = await streamOf(1);
  await until(() => expect(tab.live.liveState()).toBe('live'));
  vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => {} });
  tab.session.forgetUser();
  await until(() => expect(stream.ended()).toBe(true));
  expect(tab.live.liveState()).toBe('connecting');
});

test('signs out when the session has ended elsewhere', async () => {
  const tab = (await openTab()) as Tab & { session: { readUser: () => unknown } };
  const stream = await streamOf(1);
  await until(() => expect(tab.live.liveState()).toBe('live'));
  expect(tab.session.readUser()).not.toBeNull();
  status = 401;
  vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => {} });
  stream.hangUp();
  await until(() => expect(tab.session.readUser()).toBeNull());
});

test('stays signed in if the server refuses the stream', async () => {
  const tab = (await openTab()) as Tab & { session: { readUser: () => unknown } };
  const stream = await streamOf(1);
  await until(() => expect(tab.live.liveState()).toBe('live'));
  status = 403;
  vi.stubGlobal('localStorage', { getItem: () => null, removeItem: () => {} });
  stream.hangUp();
  await streamOf(2);
  // The effects of the response have happened.
  await new Promise(setImmediate);
  expect(tab.session.readUser()).not.toBeNull();
});

test('ignores events that are not JSON', async () => {
  const tab = await openTab();
  const stream = await streamOf(1);
  stream.write(`id: 1\nevent: unread\ndata: not json\n\n${unread(2, 2)}`);
  await until(() => expect(tab.received).toEqual(['reset', 'unread 2']));
});

/** Another tab of the browser signs this user in, or out. */
function signInElsewhere(user: object | null) {
  if (user) stored.set('user', JSON.stringify(user));
  else stored.delete('user');
  browser.dispatchEvent(Object.assign(new Event('storage'), { key: 'user' }));
}

test('another person who signs in in another tab gets a stream of their own, from its start, and nothing of the one before', async () => {
  const tab = await openTab();
  const first = await streamOf(1);
  first.write(unread(500, 1));
  await until(() => expect(tab.received).toEqual(['reset', 'unread 1']));
  signInElsewhere({ _id: crypto.randomUUID(), token: 'token-of-tama' });
  const second = await streamOf(2);
  expect(first.ended()).toBe(true);
  expect(second).toMatchObject({ token: 'Bearer token-of-tama', last: undefined });
  second.write(unread(3, 7));
  await until(() => expect(tab.received).toEqual(['reset', 'unread 1', 'reset', 'unread 7']));
});

test('signing out in another tab ends the stream, and signing in again starts one', async () => {
  const tab = await openTab();
  const first = await streamOf(1);
  await until(() => expect(tab.live.liveState()).toBe('live'));
  signInElsewhere(null);
  await until(() => expect(first.ended()).toBe(true));
  expect(tab.live.liveState()).toBe('connecting');
  signInElsewhere({ _id: userId, token: 'token-of-mere-2' });
  expect((await streamOf(2)).token).toBe('Bearer token-of-mere-2');
});

test('a change of the user that leaves the session as it is keeps the stream', async () => {
  const tab = await openTab();
  const stream = await streamOf(1);
  signInElsewhere({ _id: userId, token: 'token-of-mere', emailConfirmed: true });
  stream.write(unread(5, 2));
  await until(() => expect(tab.received).toContain('unread 2'));
  expect([streams.length, stream.ended()]).toEqual([1, false]);
});

test('a stream that broke before its first event starts with a reset again; one that goes on where it was does not', async () => {
  const tab = await openTab();
  await until(() => expect(tab.received).toEqual(['reset']));
  (await streamOf(1)).hangUp();
  const second = await streamOf(2);
  await until(() => expect(tab.received).toEqual(['reset', 'reset']));
  second.write(unread(5, 2));
  await until(() => expect(tab.received).toContain('unread 2'));
  second.hangUp();
  const third = await streamOf(3);
  expect(third.last).toBe('5');
  third.write(unread(6, 3));
  await until(() => expect(tab.received).toEqual(['reset', 'reset', 'unread 2', 'unread 3']));
});

test('a tab that opens later resets none of those that listen already', async () => {
  const first = await openTab();
  const stream = await streamOf(1);
  const second = await openTab();
  await until(() => expect([first.received, second.received]).toEqual([['reset'], ['reset']]));
  const third = await openTab();
  await until(() => expect(third.received).toEqual(['reset']));
  stream.write(unread(5, 2));
  await until(() => expect(second.received).toContain('unread 2'));
  expect([first.received, second.received]).toEqual(Array.from({ length: 2 }, () => ['reset', 'unread 2']));
});

test('the state is told as it changes, until a listener leaves', async () => {
  const tab = await openTab();
  const told: string[] = [];
  const stop = tab.live.onLiveState(() => told.push(tab.live.liveState()));
  const first = await streamOf(1);
  await until(() => expect(told).toEqual(['live']));
  first.hangUp();
  await streamOf(2);
  await until(() => expect(told).toEqual(['live', 'reconnecting', 'live']));
  stop();
  streams.at(-1)?.hangUp();
  await streamOf(3);
  expect(told).toHaveLength(3);
});

test('a page that listens as soon as the one before has left keeps the stream', async () => {
  const tab = await openTab();
  const stream = await streamOf(1);
  await until(() => expect(tab.live.liveState()).toBe('live'));
  const closing = tab.close;
  const received: number[] = [];
  void closing();
  const stop = tab.live.onLive('unread', ({ conversations }) => received.push(conversations));
  await new Promise((resolve) => setTimeout(resolve));
  stream.write(unread(5, 4));
  await until(() => expect(received).toEqual([4]));
  expect([streams.length, stream.ended()]).toEqual([1, false]);
  stop();
  await until(() => expect(tab.live.liveState()).toBe('connecting'));
});
