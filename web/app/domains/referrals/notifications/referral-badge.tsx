import { badgeText } from './notice-list.ts';
import styles from './referral-badge.module.css';
import { newsCount } from './referral-news.ts';
import { useReferralNews } from './use-see-news.ts';

/** How much came of one's code since one last looked, in red; nothing where nothing did. */
export function ReferralBadge() {
  const count = newsCount(useReferralNews());
  if (count === 0) return null;
  return (
    <span className={styles.badge}>
      {badgeText(count)}
      <span className="visually-hidden"> new in your referrals</span>
    </span>
  );
}
