export type StreamEvent = { id: string; kind: string; data: string };

/** Parses server-sent events from chunks that may end anywhere. Lines without an event, such as heartbeats, are skipped. */
export function createEventStreamReader(onEvent: (event: StreamEvent) => void): (piece: string) => void {
  let rest = '';
  let id = '';
  let kind = '';
  let data: string[] = [];
  const take = (line: string) => {
    if (line === '') {
      if (data.length > 0) onEvent({ id, kind: kind || 'message', data: data.join('\n') });
      kind = '';
      data = [];
      return;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'event') kind = value;
    if (field === 'data') data.push(value);
  };
  return (piece) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line.replace(/\r$/, ''));
  };
}

export type ConnectionState = 'connecting' | 'live' | 'reconnecting';

type ConnectionOptions = {
  token: string;
  /** The id of the last event received; the stream resumes after it. */
  lastId: () => string;
  onEvent: (event: StreamEvent) => void;
  onState: (state: ConnectionState) => void;
  /** Closes the stream. */
  signal: AbortSignal;
  /** The wait before attempt number 0, 1, 2, … after one that failed. */
  pause?: (attempt: number, signal: AbortSignal) => Promise<void>;
};

// The server sends a heartbeat every 15 s; after this long without one the connection has timed out.
const silentMs = 45_000;

/** The wait after failures in a row: 1, 2, 4 … 30 seconds, less up to half, so that clients do not reconnect all at once. */
export const getBackoffMs = (attempt: number, random = Math.random()) => Math.min(1000 * 2 ** attempt, 30_000) * (1 - random / 2);

/** Waits out the backoff, or until the browser is online again. */
const waitForRetry = (attempt: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, getBackoffMs(attempt));
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });

/** Reads the event stream until `signal` aborts it, the session is over or the server refuses it. Reconnects and resumes after failures. */
export async function readEvents({
  token,
  lastId,
  onEvent,
  onState,
  signal,
  pause = waitForRetry,
}: ConnectionOptions): Promise<'ended' | 'session over' | 'refused'> {
  let failures = 0;
  onState('connecting');
  while (!signal.aborted) {
    const attempt = new AbortController();
    const end = () => attempt.abort();
    signal.addEventListener('abort', end);
    addEventListener('offline', end);
    let timeout: ReturnType<typeof setTimeout> | undefined;
    const resetTimeout = () => {
      clearTimeout(timeout);
      timeout = setTimeout(end, silentMs);
    };
    try {
      resetTimeout();
      const last = lastId();
      const response = await fetch('/api/events', {
        headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...(last && { 'Last-Event-ID': last }) },
        cache: 'no-store',
        signal: attempt.signal,
      });
      if (response.status === 401) return 'session over';
      // Staff are viewing the site as this user.
      if (response.status === 403) return 'refused';
      if (!response.ok || !response.body) throw new Error(`The stream of events answered ${response.status}`);
      onState('live');
      const take = createEventStreamReader(onEvent);
      const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
        failures = 0;
        resetTimeout();
        take(piece.value);
      }
    } catch {
      // Reconnects below, as it does when the server ends the stream.
    } finally {
      clearTimeout(timeout);
      signal.removeEventListener('abort', end);
      removeEventListener('offline', end);
    }
    if (signal.aborted) return 'ended';
    onState('reconnecting');
    await pause(failures, signal);
    failures += 1;
  }
  return 'ended';
}
