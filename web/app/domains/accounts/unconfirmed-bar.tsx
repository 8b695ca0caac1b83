import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { useSession } from '../../lib/session/session.ts';
import { useConfirmedAddress } from '../../lib/session/use-confirmed-address.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ResendConfirmation } from './resend-confirmation.tsx';
import styles from './unconfirmed-bar.module.css';

/** Asks members whose address is not confirmed to do that. */
export function UnconfirmedBar() {
  const { user } = useSession();
  useConfirmedAddress(false);
  // Whoever signed in before this was kept is asked when they next sign in.
  if (user?.emailConfirmed !== false) return null;
  return (
    <aside className={styles.bar} aria-label="Your email address">
      <Notice>
        <div className={styles.inside}>
          <p>
            <strong>Please confirm your email address.</strong> We have sent a link to {user.email}. Until you open it, you cannot write
            reviews, your draw tickets do not count, and what others write to you is not emailed. Is the address wrong?{' '}
            <Link to={paths.account}>Change it.</Link>
          </p>
          <ResendConfirmation />
        </div>
      </Notice>
    </aside>
  );
}
