import { useRootData } from '../../../lib/root-data.ts';
import { useSession } from '../../../lib/session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { mayTestNotices } from './notice-list.ts';
import { simulateNews } from './referral-news.ts';
import styles from './test-panel.module.css';

/** Shows what it looks like when somebody uses one's code. It only simulates, in this tab; for the sandbox and administrators. */
export function TestPanel() {
  const { sandbox } = useRootData();
  const { user } = useSession();
  if (!mayTestNotices(sandbox, user?.role)) return null;
  return (
    <section className={styles.panel} aria-labelledby="test-notifications">
      <h2 className={styles.title} id="test-notifications">
        Test Referral Notifications
      </h2>
      <Button kind="secondary" size="sm" onClick={() => simulateNews('signup', new Date())}>
        Signup (1 Ticket)
      </Button>
      <Button kind="secondary" size="sm" onClick={() => simulateNews('listing', new Date())}>
        Listing (5 Tickets)
      </Button>
    </section>
  );
}
