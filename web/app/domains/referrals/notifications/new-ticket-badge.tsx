import styles from './referral-badge.module.css';
import { useReferralNews } from './use-see-news.ts';

/** The badge for the ticket of the user's registration, on pages about it. */
export function NewTicketBadge() {
  const { newTicket } = useReferralNews();
  if (!newTicket) return null;
  return (
    <span className={styles.badge}>
      1<span className="visually-hidden"> new ticket</span>
    </span>
  );
}
