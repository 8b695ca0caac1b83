import { messageWishKey, readStored, removeStored, writeStored } from '../../../lib/browser-storage.ts';

// Long enough to register, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

type Wish = { listingId: string; clientId: string; until: number };

function read(listingId: string, now: number): Wish | null {
  try {
    const wish = JSON.parse(readStored(messageWishKey) ?? 'null') as Partial<Wish> | null;
    const holds = wish?.listingId === listingId && typeof wish.clientId === 'string' && typeof wish.until === 'number' && wish.until > now;
    return holds ? (wish as Wish) : null;
  } catch {
    return null;
  }
}

/** What a visitor has typed for this listing is to be sent as soon as they are signed in, as this one message. */
export function wishToSend(listingId: string, now = Date.now()) {
  const clientId = read(listingId, now)?.clientId ?? crypto.randomUUID();
  writeStored(messageWishKey, JSON.stringify({ listingId, clientId, until: now + validMs }));
}

export const hasWish = (listingId: string, now = Date.now()) => read(listingId, now) !== null;
export const dropWish = () => removeStored(messageWishKey);

/** The id under which the message is to be sent now, once; null where nothing is to be sent. */
export function takeWish(listingId: string, now = Date.now()): string | null {
  const wish = read(listingId, now);
  if (wish) dropWish();
  return wish?.clientId ?? null;
}
