import type { LiveEventKind, LiveEvents } from '@handwise/contract/live-events';
import { forgetUser, onSessionChange, readUser } from '../session/stored-user.ts';
import { type ConnectionState, keepConnected } from './connection.ts';
import type { StreamEvent } from './event-stream.ts';

// All tabs of a browser share one stream: the tab that holds the lock has it open and tells the others. When it closes, the lock goes
// to the next one, which goes on behind the last event that it heard of.

type Listener<Kind extends LiveEventKind> = (data: LiveEvents[Kind]) => void;
type Told = { event: StreamEvent } | { state: ConnectionState; lastId: string } | { ask: 'state' };

const listeners = new Map<LiveEventKind, Set<Listener<never>>>();
const stateListeners = new Set<() => void>();

let state: ConnectionState = 'connecting';
let wanted = 0;
let running: { token: string; end: AbortController } | undefined;

function tellState(next: ConnectionState) {
  if (state === next) return;
  state = next;
  for (const listener of stateListeners) listener();
}

function tell(kind: string, text: string) {
  let data: never;
  try {
    data = JSON.parse(text) as never;
  } catch {
    return;
  }
  for (const listener of listeners.get(kind as LiveEventKind) ?? []) listener(data);
}

function run(userId: string, token: string): AbortController {
  const end = new AbortController();
  const name = `live-events ${userId}`;
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name);
  let lastId = '';
  let leads = false;
  const say: (told: Told) => void = channel ? channel.postMessage.bind(channel) : () => {};
  const take = (event: StreamEvent) => {
    // Told by the tab that led before and again by the stream: the numbers only grow, but for a `reset`.
    if (event.kind !== 'reset' && event.id && lastId && Number(event.id) <= Number(lastId)) return;
    if (event.id) lastId = event.id;
    tell(event.kind, event.data);
  };
  const hearState = (next: ConnectionState) => {
    // Without an id to go on from, what happened before the stream was there is not in it.
    if (next === 'live' && state !== 'live' && lastId === '') tell('reset', '{}');
    tellState(next);
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if ('ask' in data) {
      if (leads) say({ state, lastId });
    } else if ('event' in data) take(data.event);
    else {
      if (lastId === '') lastId = data.lastId;
      hearState(data.state);
    }
  });
  const lead = async () => {
    leads = true;
    const how = await keepConnected({
      token,
      signal: end.signal,
      lastId: () => lastId,
      onEvent: (event) => {
        take(event);
        say({ event });
      },
      onState: (next) => {
        hearState(next);
        say({ state: next, lastId });
      },
    });
    leads = false;
    // Here and in every tab.
    if (how === 'session over') forgetUser(token);
  };
  end.signal.addEventListener('abort', () => channel?.close());
  say({ ask: 'state' });
  // Where a page is not secure there are no locks: then each tab has a stream of its own.
  const elected = navigator.locks ? navigator.locks.request(name, { signal: end.signal }, lead) : lead();
  elected.catch(() => {});
  return end;
}

function follow() {
  const user = wanted > 0 ? readUser() : null;
  if (user?.token === running?.token) return;
  running?.end.abort();
  running = undefined;
  tellState('connecting');
  if (user) running = { token: user.token, end: run(user._id, user.token) };
}

/** The stream is open while somebody wants it and a user is signed in. */
function want(): () => void {
  const ignoreSession = onSessionChange(follow);
  wanted += 1;
  follow();
  return () => {
    ignoreSession();
    wanted -= 1;
    // The next page may want it as well: it is not closed only to be opened again.
    setTimeout(follow);
  };
}

/** Calls the listener with each event of a kind that happens to the signed-in user, once in every tab. */
export function onLive<Kind extends LiveEventKind>(kind: Kind, listener: Listener<Kind>): () => void {
  const own = listeners.get(kind) ?? new Set();
  listeners.set(kind, own.add(listener));
  const stop = want();
  return () => {
    own.delete(listener);
    stop();
  };
}

/** Whether events arrive: `reconnecting` where they did and do not now. */
export const liveState = () => state;

export function onLiveState(listener: () => void): () => void {
  stateListeners.add(listener);
  const stop = want();
  return () => {
    stateListeners.delete(listener);
    stop();
  };
}
