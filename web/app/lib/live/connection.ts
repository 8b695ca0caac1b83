import { eventStreamReader, type StreamEvent } from './event-stream.ts';

export type ConnectionState = 'connecting' | 'live' | 'reconnecting';

type ConnectionOptions = {
  token: string;
  /** The last event that is known here; everything after it is told, also what happened meanwhile. */
  lastId: () => string;
  onEvent: (event: StreamEvent) => void;
  onState: (state: ConnectionState) => void;
  /** Ends it. */
  signal: AbortSignal;
  /** The wait before attempt number 0, 1, 2, … after one that failed. */
  pause?: (attempt: number, signal: AbortSignal) => Promise<void>;
};

// The server says something every quarter of a minute; where it has not for this long, the line is dead without knowing it.
const silentMs = 45_000;

/** How long to wait after failures in a row: 1, 2, 4 … 30 seconds, and up to half less, so that not all come back at once. */
export const backoffMs = (attempt: number, random = Math.random()) => Math.min(1000 * 2 ** attempt, 30_000) * (1 - random / 2);

/** Waits, but no longer than until the browser is online again. */
const waitForTurn = (attempt: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, backoffMs(attempt));
    addEventListener('online', end);
    signal.addEventListener('abort', end);
  });

/**
 * Holds a stream of events open until `signal` ends it, the server no longer knows the session or lets it hear nothing, and says which.
 * A broken one is opened anew and goes on where it stopped.
 */
export async function keepConnected({
  token,
  lastId,
  onEvent,
  onState,
  signal,
  pause = waitForTurn,
}: ConnectionOptions): Promise<'ended' | 'session over' | 'refused'> {
  let failures = 0;
  onState('connecting');
  while (!signal.aborted) {
    const attempt = new AbortController();
    const end = () => attempt.abort();
    signal.addEventListener('abort', end);
    addEventListener('offline', end);
    let dead: ReturnType<typeof setTimeout> | undefined;
    const heard = () => {
      clearTimeout(dead);
      dead = setTimeout(end, silentMs);
    };
    try {
      heard();
      const last = lastId();
      const response = await fetch('/api/events', {
        headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...(last && { 'Last-Event-ID': last }) },
        cache: 'no-store',
        signal: attempt.signal,
      });
      if (response.status === 401) return 'session over';
      // The session may not listen: somebody of the staff looks as this user.
      if (response.status === 403) return 'refused';
      if (!response.ok || !response.body) throw new Error(`The stream of events answered ${response.status}`);
      onState('live');
      const take = eventStreamReader(onEvent);
      const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
        failures = 0;
        heard();
        take(piece.value);
      }
    } catch {
      // Begun anew below, as is a stream that the server ended.
    } finally {
      clearTimeout(dead);
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
