import { idPattern } from '@handwise/contract/ids';
import { paths } from '@handwise/contract/paths';

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
  const [, id = null] = new RegExp(`^${paths.listing(`(${idPattern})`)}\\?`).exec(path) ?? [];
  return id !== null && asksForMessage(path.slice(path.indexOf('?'))) ? id : null;
}
