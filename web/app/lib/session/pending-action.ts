import { removeStored, readStored, writeStored } from '../browser-storage.ts';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from './session.ts';
import { readUser } from './stored-user.ts';

/**
 * What a visitor wants and needs an account for: a parameter of the address to come back to, and remembered until they are back. Pressed
 * before any script has come, the link still leads there.
 */
export function wishOf(parameter: string, key: string, isWish: (text: string) => boolean) {
  const read = (search: string): string | null => {
    const parameters = new URLSearchParams(search);
    const back = parameters.get('redirect')?.split('?')[1] ?? '';
    const wish = parameters.get(parameter) ?? new URLSearchParams(back).get(parameter);
    return wish !== null && isWish(wish) ? wish : null;
  };
  return {
    /** The address to come back to, with the wish in it. */
    withWish: (path: string, wish: string) => `${path}${path.includes('?') ? '&' : '?'}${parameter}=${encodeURIComponent(wish)}`,
    /** What an address wishes, itself or on the way back to where it leads. */
    read,
    without(search: string): string {
      const parameters = new URLSearchParams(search);
      parameters.delete(parameter);
      return parameters.size > 0 ? `?${parameters.toString()}` : '';
    },
    /** A visitor goes to sign in: remembered until they are back. */
    remember: (wish: string, now = Date.now()) => keepForAnHour(key, { wish }, now),
    /** What a visitor wanted, once. */
    take(now = Date.now()): string | null {
      const wish = readOfTheHour(key, now)?.['wish'];
      removeStored(key);
      return typeof wish === 'string' ? wish : null;
    },
  };
}
type Wish = ReturnType<typeof wishOf>;

/** Does what a visitor wanted before signing in or registering. Once at the root; `fulfil` stays the same. */
export function useWish(wish: Wish, fulfil: (wished: string) => void) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const userId = user?._id;
  // At once and not when the session is known: the page may be left by the very next press.
  useEffect(() => {
    const wished = readUser() ? null : wish.read(search);
    if (wished) wish.remember(wished);
  }, [wish, search]);
  useEffect(() => {
    const wished = userId ? wish.take() : null;
    if (wished) fulfil(wished);
  }, [wish, fulfil, userId]);
  // Back from signing in, the address has done its work.
  useEffect(() => {
    const rest = wish.without(search);
    if (userId && rest !== search && wish.read(search) !== wish.read(rest)) {
      void navigate({ pathname, search: rest }, { replace: true, preventScrollReset: true });
    }
  }, [wish, userId, pathname, search, navigate]);
}

// Long enough to register and confirm an address, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

/** Remembers what a visitor wants to do once they are signed in. */
export const keepForAnHour = (key: string, what: object, now: number) =>
  writeStored(key, JSON.stringify({ ...what, until: now + validMs }));

/** What was remembered, while it holds. What others wrote there is nothing. */
export function readOfTheHour(key: string, now: number): Record<string, unknown> | null {
  try {
    const kept = JSON.parse(readStored(key) ?? '') as Record<string, unknown> & { until: number };
    return kept.until > now ? kept : null;
  } catch {
    return null;
  }
}
