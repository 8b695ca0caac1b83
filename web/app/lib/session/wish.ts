import { readStored, removeStored, writeStored } from '../browser-storage.ts';

// Long enough to register and confirm an address, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

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
    remember: (wish: string, now = Date.now()) => writeStored(key, JSON.stringify({ wish, until: now + validMs })),
    /** What a visitor wanted, once. */
    take(now = Date.now()): string | null {
      const text = readStored(key);
      if (text === null) return null;
      removeStored(key);
      try {
        const { wish, until } = JSON.parse(text) as { wish?: unknown; until?: unknown };
        return typeof wish === 'string' && typeof until === 'number' && until > now ? wish : null;
      } catch {
        return null;
      }
    },
  };
}
export type Wish = ReturnType<typeof wishOf>;
