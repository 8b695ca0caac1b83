import { removeStored, readStored, writeStored } from '../browser-storage.ts';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from './session.ts';
import { readUser } from './stored-user.ts';

/**
 * What a visitor wants and needs an account for: a parameter of the address to come back to, and remembered until they are back. Pressed
 * before any script has come, the link still leads there.
 */
export function createPendingAction(parameter: string, key: string, isValid: (text: string) => boolean) {
  const read = (search: string): string | null => {
    const parameters = new URLSearchParams(search);
    const back = parameters.get('redirect')?.split('?')[1] ?? '';
    const action = parameters.get(parameter) ?? new URLSearchParams(back).get(parameter);
    return action !== null && isValid(action) ? action : null;
  };
  return {
    /** The address to come back to, with the wish in it. */
    addTo: (path: string, action: string) => `${path}${path.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(action)}`,
    /** What an address wishes, itself or on the way back to where it leads. */
    read,
    without(search: string): string {
      const parameters = new URLSearchParams(search);
      parameters.delete(parameter);
      return parameters.size > 0 ? `?${parameters.toString()}` : '';
    },
    /** A visitor goes to sign in: remembered until they are back. */
    store: (action: string, now = Date.now()) => storeForAnHour(key, { wish: action }, now),
    /** What a visitor wanted, once. */
    take(now = Date.now()): string | null {
      const action = readUnexpired(key, now)?.['wish'];
      removeStored(key);
      return typeof action === 'string' ? action : null;
    },
  };
}
type PendingAction = ReturnType<typeof createPendingAction>;

/** Does what a visitor wanted before signing in or registering. Once at the root; `fulfil` stays the same. */
export function usePendingAction(action: PendingAction, fulfil: (pending: string) => void) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const userId = user?._id;
  // At once and not when the session is known: the page may be left by the very next press.
  useEffect(() => {
    const pending = readUser() ? null : action.read(search);
    if (pending) action.store(pending);
  }, [action, search]);
  useEffect(() => {
    const pending = userId ? action.take() : null;
    if (pending) fulfil(pending);
  }, [action, fulfil, userId]);
  // Back from signing in, the address has done its work.
  useEffect(() => {
    const rest = action.without(search);
    if (userId && rest !== search && action.read(search) !== action.read(rest)) {
      void navigate({ pathname, search: rest }, { replace: true, preventScrollReset: true });
    }
  }, [action, userId, pathname, search, navigate]);
}

// Long enough to register and confirm an address, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

/** Remembers what a visitor wants to do once they are signed in. */
export const storeForAnHour = (key: string, what: object, now: number) =>
  writeStored(key, JSON.stringify({ ...what, until: now + validMs }));

/** What was remembered, while it holds. What others wrote there is nothing. */
export function readUnexpired(key: string, now: number): Record<string, unknown> | null {
  try {
    const stored = JSON.parse(readStored(key) ?? '') as Record<string, unknown> & { until: number };
    return stored.until > now ? stored : null;
  } catch {
    return null;
  }
}
