import { formatBadge } from './notice-list.ts';
import styles from './referral-badge.module.css';
import { newsCount } from './referral-news.ts';
import { useReferralNews } from './use-see-news.ts';

/** The number of unseen referral notifications, if any. */
export function ReferralBadge() {
  const count = newsCount(useReferralNews());
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      {formatBadge(count)}
      <span className="visually-hidden"> new in your referrals</span>
    </span>
  );
}
