import styles from './referral-status.module.css';
import type { ReferralCheck } from './use-referral-check.ts';

const texts: Record<ReferralCheck, string> = {
  empty: '',
  checking: 'Checking code...',
  valid: "Valid code! You'll receive 1 draw ticket.",
  invalid: 'Invalid referral code.',
  failed: 'Error validating code. Please try again.',
};

/** What is known of the typed code, read out as it changes. */
export const ReferralStatus = ({ check }: { check: ReferralCheck }) => (
  <p className={styles.status} data-check={check} role="status">
    {texts[check]}
  </p>
);
