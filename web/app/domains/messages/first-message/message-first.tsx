import { MessageFirstForm } from './message-first-form.tsx';
import { messagedListing } from './message-path.ts';

/** On the way to sign in or up: why that is asked, where it is for a message, and the message itself, which is sent afterwards. */
export function MessageFirst({ target }: { target: string }) {
  const listingId = messagedListing(target);
  return listingId !== null && <MessageFirstForm key={listingId} listingId={listingId} />;
}
