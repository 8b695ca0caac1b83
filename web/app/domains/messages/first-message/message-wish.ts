import { paths } from '@handwise/contract/paths';
import { messageWishKey, readStored, removeStored, writeStored } from '../../../lib/browser-storage.ts';

// Long enough to register, too short to surprise somebody another day.
const validMs = 60 * 60 * 1000;

const parameter = 'message';

/** The page of a listing with its message open: where visitors come back to from signing in. */
export const messagePath = (listingId: string) => `${paths.listing(listingId)}?${parameter}`;

/** Whether an address asks for the message to be open, and the address without that. */
export const asksForMessage = (search: string) => new URLSearchParams(search).has(parameter);
export function withoutMessage(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(parameter);
  return parameters.size > 0 ? `?${parameters.toString()}` : '';
}

/** The listing whose seller somebody is on the way to, or null. */
export function messagedListing(path: string): string | null {
  const [, id = null] = new RegExp(`^${paths.listing('([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})')}\\?`).exec(path) ?? [];
  return id !== null && asksForMessage(path.slice(path.indexOf('?'))) ? id : null;
}

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
