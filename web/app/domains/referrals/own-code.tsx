import { CopyButton } from '../../ui/forms/copy-button.tsx';
import styles from './own-code.module.css';

/** The member's own code, to copy. */
export const OwnCode = ({ code, copyLabel = 'Copy code' }: { code: string; copyLabel?: string }) => (
  <div className={styles.box}>
    <div>
      <p className={styles.label}>Your referral code</p>
      <p className={styles.code}>{code}</p>
    </div>
    <CopyButton text={code} label={copyLabel} copiedMessage="Referral code copied to clipboard!" failedMessage="Failed to copy code" />
  </div>
);
