import { lazy, Suspense } from 'react';
import { messagedListing } from './message-wish.ts';

const MessageFirstForm = lazy(async () => ({ default: (await import('./message-first-form.tsx')).MessageFirstForm }));

/** On the way to sign in or up: why that is asked, where it is for a message, and the message itself, which is sent afterwards. */
export function MessageFirst({ target }: { target: string }) {
  const listingId = messagedListing(target);
  return (
    listingId !== null && (
      <Suspense fallback={null}>
        <MessageFirstForm key={listingId} listingId={listingId} />
      </Suspense>
    )
  );
}
