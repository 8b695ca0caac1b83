import { readStored, removeStored, writeStored } from '../../lib/browser-storage.ts';

const key = 'saveWish';
// Long enough to register and confirm an address, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

const parameter = 'save';

/** The address to come back to, with the wish in it: pressed before any script has come, a heart still leads to a saved listing. */
export const withSaveWish = (path: string, listingId: string) => `${path}${path.includes('?') ? '&' : '?'}${parameter}=${listingId}`;

/** The listing that an address wishes to be saved, itself or on the way back to where it leads. */
export function saveWishOf(search: string): string | null {
  const parameters = new URLSearchParams(search);
  const back = parameters.get('redirect')?.split('?')[1] ?? '';
  const listingId = parameters.get(parameter) ?? new URLSearchParams(back).get(parameter);
  return listingId !== null && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(listingId) ? listingId : null;
}

export function withoutSaveWish(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(parameter);
  return parameters.size > 0 ? `?${parameters.toString()}` : '';
}

/** A visitor wants to save a listing and goes to sign in: remembered until they are back. */
export const rememberSaveWish = (listingId: string, now = Date.now()) =>
  writeStored(key, JSON.stringify({ listingId, until: now + validMs }));

/** The listing that a visitor wanted to save, once. */
export function takeSaveWish(now = Date.now()): string | null {
  const text = readStored(key);
  if (text === null) return null;
  removeStored(key);
  try {
    const wish = JSON.parse(text) as { listingId?: unknown; until?: unknown };
    return typeof wish.listingId === 'string' && typeof wish.until === 'number' && wish.until > now ? wish.listingId : null;
  } catch {
    return null;
  }
}
