import styles from './referral-status.module.css';
import type { ReferralCheck } from './use-referral-check.ts';

type Said = { text: string; more?: string };

const texts: Record<ReferralCheck, Said> = {
  empty: { text: '' },
  checking: { text: 'Checking code...' },
  valid: { text: "Valid code! You'll receive 1 draw ticket.", more: 'If you list a business, your first month is free too.' },
  invalid: { text: 'Invalid referral code.', more: 'Correct it, or leave the field empty.' },
  failed: { text: 'Error validating code. Please try again.' },
};

/** What is known of the typed code, read out as it changes. */
export const ReferralStatus = ({ check }: { check: ReferralCheck }) => (
  <div className={styles.status} data-check={check} role="status">
    <p>{texts[check].text}</p>
    {texts[check].more !== undefined && <p>{texts[check].more}</p>}
  </div>
);
