import type { SessionUser } from '@handwise/contract/accounts/calls';
import {
  messageDraftsKey,
  messageWishKey,
  newTicketKey,
  ownReferralCodeKey,
  quoteDraftKey,
  quoteWishKey,
  readStored,
  recentSearchesKey,
  removeStored,
  writeStored,
  unsentMessagesKey,
} from '../browser-storage.ts';

// Named by the specification. The head script reads it as well, before the first paint.
const storageKey = 'user';

// While an administrator looks at the site as somebody else: who they are.
const behindLookKey = 'user-behind-look';

/** `look`: an administrator sees the site as this user until then. */
export type StoredUser = SessionUser & { look?: { endsAt: string } };

export type SessionState = { user: StoredUser | null; initialized: boolean };

/** What the server renders, and the first render in the browser repeats. */
export const beforeStart: SessionState = { user: null, initialized: false };

let state: SessionState | undefined;
const listeners = new Set<() => void>();

function parseUser(text: string | null): StoredUser | null {
  try {
    const user = JSON.parse(text ?? 'null') as Partial<StoredUser> | null;
    return user && typeof user.token === 'string' && user.token !== '' ? (user as StoredUser) : null;
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

function change(user: StoredUser | null) {
  state = { user, initialized: true };
  document.documentElement.toggleAttribute('data-member', user !== null);
  for (const listener of listeners) listener();
}

export function readSession(): SessionState {
  state ??= { user: parseUser(readStorage()), initialized: true };
  return state;
}

export const readUser = () => readSession().user;

/** Whether this browser still keeps that session: another tab may just have ended it. */
function isKept(token: string): boolean {
  if (readUser()?.token !== token) return false;
  try {
    return parseUser(localStorage.getItem(storageKey))?.token === token;
  } catch {
    return true;
  }
}

/** Keeps what is new of a user, unless the session has ended meanwhile. */
export function updateUser(user: StoredUser) {
  if (isKept(user.token)) storeUser(user);
}

export function storeUser(user: StoredUser) {
  try {
    localStorage.setItem(storageKey, JSON.stringify(user));
  } catch {}
  change(user);
}

/** Goes on as somebody else, whom an administrator looks as. */
export function beginLook(user: SessionUser, look: { endsAt: string }) {
  writeStored(behindLookKey, JSON.stringify(readUser()));
  storeUser({ ...user, look });
}

/** Goes on as the administrator who looked. False where nobody did. */
export function endLook(): boolean {
  if (!readUser()?.look) return false;
  const own = parseUser(readStored(behindLookKey));
  removeStored(behindLookKey);
  eraseStoredUser();
  if (own) storeUser(own);
  else change(null);
  return true;
}

/** Forgets the user, unless another one has signed in since `token` was sent. A look that is over ends where it began. */
export function forgetUser(token?: string) {
  if (token !== undefined && readUser()?.token !== token) return;
  if (endLook()) {
    // With a fresh page: what was read as somebody else does not stay.
    globalThis.location?.reload();
    return;
  }
  eraseStoredUser();
  change(null);
}

/** Only for leaving the page at once: what is on the screen does not change any more. */
export function eraseStoredUser() {
  // With the user goes what only this user should see.
  const own = [
    storageKey,
    newTicketKey,
    ownReferralCodeKey,
    messageDraftsKey,
    messageWishKey,
    unsentMessagesKey,
    recentSearchesKey,
    quoteDraftKey,
    quoteWishKey,
  ];
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
