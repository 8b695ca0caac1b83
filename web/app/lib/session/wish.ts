import { removeStored } from '../browser-storage.ts';
import { keepForAnHour, readOfTheHour } from './for-an-hour.ts';

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
export type Wish = ReturnType<typeof wishOf>;
