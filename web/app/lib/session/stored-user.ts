import type { SessionUser } from '@handwise/contract/accounts/calls';
import {
  messageDraftsKey,
  pendingMessageKey,
  newTicketKey,
  ownReferralCodeKey,
  quoteRequestDraftKey,
  quoteDraftsKey,
  pendingQuoteRequestKey,
  readStored,
  recentSearchesKey,
  removeStored,
  writeStored,
  unsentMessagesKey,
} from '../browser-storage.ts';

// The key is set by the specification, and the head script reads it before the first paint.
const storageKey = 'user';

// The administrator's own account, while they view the site as another user.
const behindLookKey = 'user-behind-look';

/** `look`: an administrator views the site as this user until `endsAt`. */
export type StoredUser = SessionUser & { look?: { endsAt: string } };

export type SessionState = { user: StoredUser | null; initialized: boolean };

/** The state on the server and in the browser's first render. */
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
    // Without storage, the user stays signed in until the page is left.
    return null;
  }
}

function changeUser(user: StoredUser | null) {
  state = { user, initialized: true };
  document.documentElement.toggleAttribute('data-member', user !== null);
  for (const listener of listeners) listener();
}

/** Set beside the cookie that restores a session, and readable. */
const hint = 'signed-in=';
export const deleteRestoreHint = () => void (document.cookie = `${hint}; Max-Age=0; Path=/; Secure`);

const readStoredUser = () => parseUser(readStorage());

export function readSession(): SessionState {
  if (state) return state;
  const user = readStoredUser();
  state = { user, initialized: true };
  // Safari deletes what scripts have stored after seven days without a visit.
  if (!user && globalThis.document?.cookie?.includes(`${hint}1`)) {
    state = beforeStart;
    // Somebody may have signed in meanwhile.
    const giveUp = () => changeUser(readStoredUser());
    void import('./restore.ts').then(({ restoreSession }) => restoreSession({ read: readStoredUser, store: storeUser, giveUp }), giveUp);
  }
  return state;
}

export const readUser = () => readSession().user;

/** Whether that session is still stored; another tab may have ended it. */
function isStored(token: string): boolean {
  if (readUser()?.token !== token) return false;
  try {
    return parseUser(localStorage.getItem(storageKey))?.token === token;
  } catch {
    return true;
  }
}

/** Stores changes of the user, unless the session has ended. */
export function updateUser(user: StoredUser) {
  if (isStored(user.token)) storeUser(user);
}

export function storeUser(user: StoredUser) {
  try {
    localStorage.setItem(storageKey, JSON.stringify(user));
  } catch {}
  changeUser(user);
}

/** Continues as another user, for an administrator who views the site as them. */
export function beginLook(user: SessionUser, look: { endsAt: string }) {
  writeStored(behindLookKey, JSON.stringify(readUser()));
  storeUser({ ...user, look });
}

/** Returns to the administrator's own account. False if they were in it already. */
export function endLook(): boolean {
  if (!readUser()?.look) return false;
  const own = parseUser(readStored(behindLookKey));
  removeStored(behindLookKey);
  eraseStoredUser();
  if (own) storeUser(own);
  else changeUser(null);
  return true;
}

/** Signs the user out here, unless another has signed in since `token` was sent. Viewing as another user returns to the own account. */
export function forgetUser(token?: string) {
  if (token !== undefined && readUser()?.token !== token) return;
  if (endLook()) {
    // Reloads, so that no data of the other user stays.
    globalThis.location?.reload();
    return;
  }
  eraseStoredUser();
  changeUser(null);
}

/** Erases the stored user without rendering, only for leaving the page at once. */
export function eraseStoredUser() {
  // All data that only this user may see.
  const own = [
    storageKey,
    newTicketKey,
    ownReferralCodeKey,
    messageDraftsKey,
    pendingMessageKey,
    unsentMessagesKey,
    recentSearchesKey,
    quoteRequestDraftKey,
    quoteDraftsKey,
    pendingQuoteRequestKey,
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

// Signing in or out in one tab applies to all. `key` is null if everything was cleared.
function onStorage(event: StorageEvent) {
  if (event.key === storageKey || event.key === null) changeUser(parseUser(readStorage()));
}
