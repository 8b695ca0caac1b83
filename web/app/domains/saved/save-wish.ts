import { readStored, removeStored, writeStored } from '../../lib/browser-storage.ts';

const key = 'saveWish';
// Long enough to register and confirm an address, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

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
