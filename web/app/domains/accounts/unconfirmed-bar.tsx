import { paths } from '@handwise/contract/paths';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { breakpoints } from '../../lib/breakpoints.ts';
import { useSession } from '../../lib/session/session.ts';
import { useConfirmedAddress } from '../../lib/session/refresh-user.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ResendConfirmation } from './resend-confirmation.tsx';
import styles from './unconfirmed-bar.module.css';

/** Asks members to confirm their address. */
export function UnconfirmedBar() {
  const { user } = useSession();
  const { pathname } = useLocation();
  // Starts closed on phones, which lack the room, and on the server, which does not know members.
  const [startsOpen] = useState(() => typeof window !== 'undefined' && innerWidth >= breakpoints.desk);
  useConfirmedAddress(false);
  // Users stored before this field existed are asked at their next sign-in.
  if (user?.emailConfirmed !== false || pathname === paths.security) return null;
  return (
    <aside className={styles.bar} aria-label="Your email address">
      <Notice>
        <p>
          <strong>Please confirm your email address.</strong> We sent a link to {user.email}.
        </p>
        <details className={styles.more} open={startsOpen}>
          <summary>Why, and what if it did not arrive?</summary>
          <div className={styles.inside}>
            <p>
              Until you open it, you cannot write reviews, your draw tickets do not count, and we do not email you what others write to you.
              Is the address wrong? <Link to={paths.account}>Change it.</Link>
            </p>
            <ResendConfirmation />
          </div>
        </details>
      </Notice>
    </aside>
  );
}
