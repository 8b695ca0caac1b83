import { IconBell } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { getLoginPath } from '../../../lib/session/redirect.ts';
import { useSession } from '../../../lib/session/session.ts';
import { pendingAlert } from './pending-alert.ts';
import styles from './alert-offer.module.css';

// Lazy, because visitors never see the button.
const SaveAlertButton = lazy(async () => ({ default: (await import('./save-alert-button.tsx')).SaveAlertButton }));

/** Saves a search as an alert, which emails new matches. Visitors sign in first; the alert is saved when they return. */
export function AlertOffer({ search }: { search: string }) {
  const { user } = useSession();
  const { pathname, search: address } = useLocation();
  const words = (
    <>
      <IconBell size={20} stroke={1.75} aria-hidden="true" />
      Email me new listings
    </>
  );
  if (user) {
    return (
      <Suspense fallback={<span className={styles.offer}>{words}</span>}>
        <SaveAlertButton search={search} isConfirmed={user.emailConfirmed}>
          {words}
        </SaveAlertButton>
      </Suspense>
    );
  }
  return (
    <Link className={styles.offer} to={getLoginPath(pendingAlert.addTo(pathname + address, search))} rel="nofollow">
      {words}
    </Link>
  );
}
