import styles from './referral-badge.module.css';
import { useReferralNews } from './use-see-news.ts';

/** The badge of a page that is about one's registration: the ticket that it brought. */
export function NewTicketBadge() {
  const { newTicket } = useReferralNews();
  if (!newTicket) return null;
  return (
    <span className={styles.badge}>
      1<span className="visually-hidden"> new ticket</span>
    </span>
  );
}
