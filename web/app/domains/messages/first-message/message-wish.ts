import { messageWishKey, removeStored } from '../../../lib/browser-storage.ts';
import { keepForAnHour, readOfTheHour } from '../../../lib/session/for-an-hour.ts';

/** The id under which the message for this listing is to be sent, where one is. */
function read(wanted: string, now: number): string | null {
  const { listingId, clientId } = readOfTheHour(messageWishKey, now) ?? {};
  return listingId === wanted && typeof clientId === 'string' ? clientId : null;
}

/** What a visitor has typed for this listing is to be sent as soon as they are signed in, as this one message. */
export function wishToSend(listingId: string, now = Date.now()) {
  const clientId = read(listingId, now) ?? crypto.randomUUID();
  keepForAnHour(messageWishKey, { listingId, clientId }, now);
}

export const hasWish = (listingId: string, now = Date.now()) => read(listingId, now) !== null;
export const dropWish = () => removeStored(messageWishKey);

/** The id under which the message is to be sent now, once; null where nothing is to be sent. */
export function takeWish(listingId: string, now = Date.now()): string | null {
  const clientId = read(listingId, now);
  if (clientId !== null) dropWish();
  return clientId;
}
