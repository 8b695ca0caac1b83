import { removeStored, readStored, writeStored } from '../browser-storage.ts';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from './session.ts';
import { readUser } from './stored-user.ts';

/**
 * An action that needs an account, passed as a parameter of the return URL and stored until the visitor is back. Without script, the link
 * still carries it.
 */
export function createPendingAction(parameter: string, key: string, isValid: (text: string) => boolean) {
  const read = (search: string): string | null => {
    const parameters = new URLSearchParams(search);
    const back = parameters.get('redirect')?.split('?')[1] ?? '';
    const action = parameters.get(parameter) ?? new URLSearchParams(back).get(parameter);
    return action !== null && isValid(action) ? action : null;
  };
  return {
    /** The return address with the action. */
    addTo: (path: string, action: string) => `${path}${path.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(action)}`,
    /** The action in an address, or in its return path. */
    read,
    without(search: string): string {
      const parameters = new URLSearchParams(search);
      parameters.delete(parameter);
      return parameters.size > 0 ? `?${parameters.toString()}` : '';
    },
    /** Stores the action while the visitor signs in. */
    store: (action: string, now = Date.now()) => storeForAnHour(key, { wish: action }, now),
    /** Returns the stored action once. */
    take(now = Date.now()): string | null {
      const action = readUnexpired(key, now)?.['wish'];
      removeStored(key);
      return typeof action === 'string' ? action : null;
    },
  };
}
type PendingAction = ReturnType<typeof createPendingAction>;

/** Performs the pending action after signing in or registering. Mounted once at the root; `fulfil` must be stable. */
export function usePendingAction(action: PendingAction, fulfil: (pending: string) => void) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const userId = user?._id;
  // Stored before the session is known, because the next press may leave the page.
  useEffect(() => {
    const pending = readUser() ? null : action.read(search);
    if (pending) action.store(pending);
  }, [action, search]);
  useEffect(() => {
    const pending = userId ? action.take() : null;
    if (pending) fulfil(pending);
  }, [action, fulfil, userId]);
  // After signing in, the parameter is removed from the address.
  useEffect(() => {
    const rest = action.without(search);
    if (userId && rest !== search && action.read(search) !== action.read(rest)) {
      void navigate({ pathname, search: rest }, { replace: true, preventScrollReset: true });
    }
  }, [action, userId, pathname, search, navigate]);
}

// Long enough to register and confirm an address, too short to surprise on another day.
const validMs = 60 * 60 * 1000;

/** Stores a pending action for an hour. */
export const storeForAnHour = (key: string, what: object, now: number) =>
  writeStored(key, JSON.stringify({ ...what, until: now + validMs }));

/** The stored action, unless it has expired or is invalid. */
export function readUnexpired(key: string, now: number): Record<string, unknown> | null {
  try {
    const stored = JSON.parse(readStored(key) ?? '') as Record<string, unknown> & { until: number };
    return stored.until > now ? stored : null;
  } catch {
    return null;
  }
}
