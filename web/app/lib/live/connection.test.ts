import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { getBackoffMs, readEvents, type StreamEvent, createEventStreamReader } from './connection.ts';
import { until } from '../testing/until.ts';

type StreamRequest = { headers: Record<string, string>; signal: AbortSignal };
type Answer = { status?: number; write: (text: string) => void; hangUp: () => void };

let requests: StreamRequest[] = [];
let answers: ((request: StreamRequest) => Promise<Response>)[] = [];

beforeEach(() => {
  requests = [];
  answers = [];
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('fetch', (_url: string, request: StreamRequest) => {
    requests.push(request);
    const answer = answers.shift();
    // A server that never responds, until the browser gives up.
    if (!answer) return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(new Error('aborted'))));
    return answer(request);
  });
});
afterEach(() => vi.unstubAllGlobals());

/** The response to the next request is a stream that the test writes. */
function streamed(): Answer {
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      out = controller;
    },
  });
  answers.push(({ signal }) => {
    signal.addEventListener('abort', () => out?.error(new Error('aborted')));
    return Promise.resolve(new Response(body));
  });
  return { write: (text) => out?.enqueue(new TextEncoder().encode(text)), hangUp: () => out?.close() };
}

function connect() {
  const end = new AbortController();
  const events: StreamEvent[] = [];
  const states: string[] = [];
  const pauses: number[] = [];
  let last = '';
  const ended = readEvents({
    token: 'token-of-mere',
    lastId: () => last,
    onEvent: (event) => {
      last = event.id;
      events.push(event);
    },
    onState: (state) => states.push(state),
    signal: end.signal,
    pause: async (attempt) => {
      pauses.push(attempt);
    },
  });
  return { end, ended, events, states, pauses };
}

test('opens the first stream with the token and no last id, and reports events', async () => {
  const stream = streamed();
  const { events, states, end, ended } = connect();
  await until(() => expect(states).toEqual(['connecting', 'live']));
  expect(requests[0]?.headers).toEqual({ Accept: 'text/event-stream', Authorization: 'Bearer token-of-mere' });
  stream.write('id: 1\nevent: unread\ndata: {}\n\n');
  await until(() => expect(events).toEqual([{ id: '1', kind: 'unread', data: '{}' }]));
  end.abort();
  await ended;
});

test('reconnects after a failure and resumes after the last event', async () => {
  const first = streamed();
  const second = streamed();
  const { events, states, end, ended } = connect();
  first.write('id: 41\nevent: unread\ndata: {}\n\n');
  await until(() => expect(events).toHaveLength(1));
  first.hangUp();
  await until(() => expect(requests).toHaveLength(2));
  expect(requests[1]?.headers['Last-Event-ID']).toBe('41');
  second.write('id: 42\nevent: unread\ndata: {}\n\n');
  await until(() => expect(events.map(({ id }) => id)).toEqual(['41', '42']));
  expect(states).toEqual(['connecting', 'live', 'reconnecting', 'live']);
  end.abort();
  await ended;
});

test('backs off after failures in a row, and resets the backoff after data', async () => {
  answers.push(
    () => Promise.reject(new Error('no network')),
    () => Promise.resolve(new Response('We are restarting.', { status: 503 })),
  );
  const stream = streamed();
  const { pauses, states, end, ended } = connect();
  stream.write(': here\n\n');
  await until(() => expect(requests).toHaveLength(3));
  stream.hangUp();
  await until(() => expect(requests).toHaveLength(4));
  expect(pauses).toEqual([0, 1, 0]);
  expect(states).toEqual(['connecting', 'reconnecting', 'reconnecting', 'live', 'reconnecting']);
  end.abort();
  await ended;
});

test.each([
  ['has ended', 401, 'session over'],
  ['may not listen', 403, 'refused'],
])('does not reconnect a session that %s, and reports which', async (_, status, how) => {
  answers.push(() => Promise.resolve(new Response('', { status })));
  const { ended, pauses } = connect();
  expect([await ended, requests.length, pauses]).toEqual([how, 1, []]);
});

test('aborts the request with the signal', async () => {
  streamed();
  const { end, ended, states } = connect();
  await until(() => expect(states).toContain('live'));
  end.abort();
  await ended;
  expect(requests[0]?.signal.aborted).toBe(true);
  expect(states).toEqual(['connecting', 'live']);
});

describe('with its own waits', () => {
  let browser: EventTarget;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    browser = new EventTarget();
    vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
    vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const tell = (type: 'online' | 'offline') => browser.dispatchEvent(new Event(type));
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

  function open() {
    const end = new AbortController();
    const states: string[] = [];
    const onState = (state: string) => states.push(state);
    const ended = readEvents({ token: 'token-of-mere', lastId: () => '', onEvent: () => {}, onState, signal: end.signal });
    return { end, ended, states };
  }

  test('reconnects after 45 seconds without a heartbeat, and not before', async () => {
    const stream = streamed();
    const { end, ended, states } = open();
    await pass(0);
    expect(states).toEqual(['connecting', 'live']);
    await pass(44_000);
    stream.write(': here\n\n');
    await pass(44_999);
    expect([requests[0]?.signal.aborted, requests.length]).toEqual([false, 1]);
    await pass(1);
    expect([requests[0]?.signal.aborted, states.at(-1)]).toEqual([true, 'reconnecting']);
    await pass(999);
    expect(requests).toHaveLength(1);
    await pass(1);
    expect(requests).toHaveLength(2);
    end.abort();
    await ended;
  });

  test('gives up a request that is not answered within 45 seconds', async () => {
    const { end, ended } = open();
    await pass(45_000);
    expect([requests[0]?.signal.aborted, requests.length]).toEqual([true, 1]);
    await pass(1000);
    expect(requests).toHaveLength(2);
    end.abort();
    await ended;
  });

  test('ends the stream when the browser goes offline, and reconnects as soon as it is back, however long the wait', async () => {
    streamed();
    answers.push(...Array.from({ length: 5 }, () => () => Promise.reject(new Error('no network'))));
    const { end, ended, states } = open();
    await pass(0);
    tell('offline');
    await pass(0);
    expect([requests[0]?.signal.aborted, states.at(-1)]).toEqual([true, 'reconnecting']);
    await pass(1000 + 2000 + 4000 + 8000 + 16_000);
    expect(requests).toHaveLength(6);
    streamed();
    tell('online');
    await pass(0);
    expect([requests.length, states.at(-1)]).toEqual([7, 'live']);
    end.abort();
    await ended;
  });

  test('ends while it waits, without another request', async () => {
    answers.push(() => Promise.reject(new Error('no network')));
    const { end, ended } = open();
    await pass(0);
    end.abort();
    expect([await ended, vi.getTimerCount()]).toEqual(['ended', 0]);
    await pass(60_000);
    expect(requests).toHaveLength(1);
  });
});

test('doubles the wait up to 30 seconds, with jitter', () => {
  expect([0, 1, 2, 4, 5, 9].map((attempt) => getBackoffMs(attempt, 0))).toEqual([1000, 2000, 4000, 16_000, 30_000, 30_000]);
  expect(getBackoffMs(1, 1)).toBe(1000);
});

const text =
  ': here\n\nid: 7\nevent: unread\ndata: {"conversations":2}\n\n: still here\n\nid: 8\r\nevent: message\r\ndata: one\r\ndata:two: 2\r\n\r\nid: 9\n\n';

function read(pieces: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  const take = createEventStreamReader((event) => events.push(event));
  for (const piece of pieces) take(piece);
  return events;
}

const events = [
  { id: '7', kind: 'unread', data: '{"conversations":2}' },
  { id: '8', kind: 'message', data: 'one\ntwo: 2' },
];

test('parses whole events, without heartbeats and bare ids', () => {
  expect(read([text])).toEqual(events);
});

test('parses the same events however the chunks are split', () => {
  expect(read(text.split(''))).toEqual(events);
  for (let cut = 0; cut <= text.length; cut += 1) expect(read([text.slice(0, cut), text.slice(cut)])).toEqual(events);
});

test('defaults to the kind message, and ignores incomplete events', () => {
  expect(read(['data: hello\n\nevent: unread\ndata: 1\n\ndata: again\n\nevent: unread\ndata: half\n'])).toEqual([
    { id: '', kind: 'message', data: 'hello' },
    { id: '', kind: 'unread', data: '1' },
    { id: '', kind: 'message', data: 'again' },
  ]);
});
