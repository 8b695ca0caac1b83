import type { SessionUser } from '@handwise/contract/accounts';
import { messageDraftsKey, messageWishKey, newTicketKey, ownReferralCodeKey, removeStored, unsentMessagesKey } from './browser-storage.ts';

// Named by the specification. The head script reads it as well, before the first paint.
const storageKey = 'user';

export type SessionState = { user: SessionUser | null; initialized: boolean };

/** What the server renders, and the first render in the browser repeats. */
export const beforeStart: SessionState = { user: null, initialized: false };

let state: SessionState | undefined;
const listeners = new Set<() => void>();

function parseUser(text: string | null): SessionUser | null {
  try {
    const user = JSON.parse(text ?? 'null') as Partial<SessionUser> | null;
    return user && typeof user.token === 'string' && user.token !== '' ? (user as SessionUser) : null;
  } catch {
    return null;
  }
}

function readStorage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    // Storage is off: one can still be signed in until the page is left.
    return null;
  }
}

function change(user: SessionUser | null) {
  state = { user, initialized: true };
  document.documentElement.toggleAttribute('data-member', user !== null);
  for (const listener of listeners) listener();
}

export function readSession(): SessionState {
  state ??= { user: parseUser(readStorage()), initialized: true };
  return state;
}

export const readUser = () => readSession().user;

export function storeUser(user: SessionUser) {
  try {
    localStorage.setItem(storageKey, JSON.stringify(user));
  } catch {}
  change(user);
}

/** Forgets the user, unless another one has signed in since `token` was sent. */
export function forgetUser(token?: string) {
  if (token !== undefined && readUser()?.token !== token) return;
  eraseStoredUser();
  change(null);
}

/** Only for leaving the page at once: what is on the screen does not change any more. */
export function eraseStoredUser() {
  // With the user goes what only this user should see.
  const own = [storageKey, newTicketKey, ownReferralCodeKey, messageDraftsKey, messageWishKey, unsentMessagesKey];
  for (const key of own) removeStored(key);
}

export function onSessionChange(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', onStorage);
  };
}

// Signing in or out in one tab holds for all. `key` is null where everything was cleared.
function onStorage(event: StorageEvent) {
  if (event.key === storageKey || event.key === null) change(parseUser(readStorage()));
}
