import { lazy, Suspense } from 'react';
import { useSession } from '../../../lib/session/session.ts';
import styles from './message-form.module.css';
import { messagedListing } from './message-path.ts';

const MessageFirstForm = lazy(async () => ({ default: (await import('./message-first-form.tsx')).MessageFirstForm }));

/** On the way to sign in or up: why that is asked, where it is for a message, and the message itself, which is sent afterwards. */
export function MessageFirst({ target }: { target: string }) {
  const { initialized } = useSession();
  const listingId = messagedListing(target);
  if (listingId === null) return null;
  return (
    // What was typed is known to the browser only: its room is kept until then.
    <div className={styles.room}>
      {initialized && (
        <Suspense fallback={null}>
          <MessageFirstForm key={listingId} listingId={listingId} />
        </Suspense>
      )}
    </div>
  );
}
