import { idPattern } from '@handwise/contract/ids';
import { paths } from '@handwise/contract/paths';
import { pendingMessageKey, removeStored } from '../../../lib/browser-storage.ts';
import { storeForAnHour, readUnexpired } from '../../../lib/session/pending-action.ts';

const parameter = 'message';

/** The page of a listing with its message open, to return to after signing in. */
export const getMessagePath = (listingId: string) => `${paths.listing(listingId)}?${parameter}`;

/** Whether a URL opens the message dialog, and the URL without that parameter. */
export const opensMessage = (search: string) => new URLSearchParams(search).has(parameter);
export function withoutMessage(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(parameter);
  return parameters.size > 0 ? `?${parameters.toString()}` : '';
}

/** The listing whose message dialog a path opens, or null. */
export function findMessagedListing(path: string): string | null {
  const [, id = null] = new RegExp(`^${paths.listing(`(${idPattern})`)}\\?`).exec(path) ?? [];
  return id !== null && opensMessage(path.slice(path.indexOf('?'))) ? id : null;
}

/** The id of the pending message for this listing, if there is one. */
function read(expectedId: string, now: number): string | null {
  const { listingId, clientId } = readUnexpired(pendingMessageKey, now) ?? {};
  return listingId === expectedId && typeof clientId === 'string' ? clientId : null;
}

/** Marks the text typed for this listing to be sent, as one message, once the visitor has signed in. */
export function setPendingMessage(listingId: string, now = Date.now()) {
  const clientId = read(listingId, now) ?? crypto.randomUUID();
  storeForAnHour(pendingMessageKey, { listingId, clientId }, now);
}

export const hasPendingMessage = (listingId: string, now = Date.now()) => read(listingId, now) !== null;
export const deletePendingMessage = () => removeStored(pendingMessageKey);

/** Returns the id of the pending message once; null if there is none. */
export function takePendingMessage(listingId: string, now = Date.now()): string | null {
  const clientId = read(listingId, now);
  if (clientId !== null) deletePendingMessage();
  return clientId;
}
