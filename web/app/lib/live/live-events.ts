import type { LiveEventKind, LiveEvents } from '@handwise/contract/live-events';
import { forgetUser, onSessionChange, readUser } from '../session/stored-user.ts';
import { type ConnectionState, readEvents, type StreamEvent } from './connection.ts';

// All tabs of a browser share one stream: the tab that holds the lock reads it and forwards events to the others. When that tab closes,
// the lock passes to another, which resumes after the last event it received.

type Listener<Kind extends LiveEventKind> = (data: LiveEvents[Kind]) => void;
type TabMessage = { event: StreamEvent } | { state: ConnectionState; lastId: string } | { ask: 'state' };

const listeners = new Map<LiveEventKind, Set<Listener<never>>>();
const stateListeners = new Set<() => void>();

let state: ConnectionState = 'connecting';
let subscribers = 0;
let running: { token: string; end: AbortController } | undefined;

function setState(next: ConnectionState) {
  if (state === next) return;
  state = next;
  for (const listener of stateListeners) listener();
}

function notify(kind: string, text: string) {
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
  let isLeader = false;
  const post: (message: TabMessage) => void = channel ? channel.postMessage.bind(channel) : () => {};
  const take = (event: StreamEvent) => {
    // The stream may repeat what the previous leader forwarded: ids only grow, except after a `reset`.
    if (event.kind !== 'reset' && event.id && lastId && Number(event.id) <= Number(lastId)) return;
    if (event.id) lastId = event.id;
    notify(event.kind, event.data);
  };
  const onState = (next: ConnectionState) => {
    // Without an id to resume after, earlier events are missing from the stream.
    if (next === 'live' && state !== 'live' && lastId === '') notify('reset', '{}');
    setState(next);
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if ('ask' in data) {
      if (isLeader) post({ state, lastId });
    } else if ('event' in data) take(data.event);
    else {
      if (lastId === '') lastId = data.lastId;
      onState(data.state);
    }
  });
  const lead = async () => {
    isLeader = true;
    const how = await readEvents({
      token,
      signal: end.signal,
      lastId: () => lastId,
      onEvent: (event) => {
        take(event);
        post({ event });
      },
      onState: (next) => {
        onState(next);
        post({ state: next, lastId });
      },
    });
    isLeader = false;
    // Signs out in every tab.
    if (how === 'session over') forgetUser(token);
  };
  end.signal.addEventListener('abort', () => channel?.close());
  post({ ask: 'state' });
  // Insecure pages have no locks: each tab then has its own stream.
  const elected = navigator.locks ? navigator.locks.request(name, { signal: end.signal }, lead) : lead();
  elected.catch(() => {});
  return end;
}

function reconnect() {
  const user = subscribers > 0 ? readUser() : null;
  if (user?.token === running?.token) return;
  running?.end.abort();
  running = undefined;
  setState('connecting');
  if (user) running = { token: user.token, end: run(user._id, user.token) };
}

/** The stream is open while it has subscribers and a user is signed in. */
function subscribe(): () => void {
  const ignoreSession = onSessionChange(reconnect);
  subscribers += 1;
  reconnect();
  return () => {
    ignoreSession();
    subscribers -= 1;
    // The next page may subscribe at once, so the stream is not closed before that.
    setTimeout(reconnect);
  };
}

/** Calls the listener with each of the signed-in user's events of one kind, once in every tab. */
export function onLive<Kind extends LiveEventKind>(kind: Kind, listener: Listener<Kind>): () => void {
  const own = listeners.get(kind) ?? new Set();
  listeners.set(kind, own.add(listener));
  const stop = subscribe();
  return () => {
    own.delete(listener);
    stop();
  };
}

/** Whether events arrive: `reconnecting` if they did before. */
export const liveState = () => state;

export function onLiveState(listener: () => void): () => void {
  stateListeners.add(listener);
  const stop = subscribe();
  return () => {
    stateListeners.delete(listener);
    stop();
  };
}
