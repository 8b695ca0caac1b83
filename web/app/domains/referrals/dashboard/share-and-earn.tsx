import { counted } from '@handwise/contract/numbers';
import { ticketsOf } from '@handwise/contract/prize';
import type { ReferralDashboard } from '@handwise/contract/referrals';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { OwnCode } from '../own-code.tsx';
import { referralLink } from '../share.ts';
import { ShareCode } from '../share-code.tsx';
import styles from './share-and-earn.module.css';

/** One's code and link, the ways to pass them on, and what that brings. */
export function ShareAndEarn({ data: { referralCode, referralLink: ownLink, user } }: { data: ReferralDashboard }) {
  const link = ownLink || referralLink(location.origin, referralCode);
  return (
    <div className={styles.tab}>
      <section className={`card ${styles.part}`} aria-labelledby="your-code">
        <h2 id="your-code">Share your code</h2>
        <OwnCode code={referralCode} copyLabel="Copy" />
        <div className={styles.link}>
          <div>
            <p className={styles.label}>Your referral link</p>
            <p className={styles.address}>{link}</p>
          </div>
          <CopyButton
            text={link}
            label="Copy Link"
            copiedMessage="Referral link copied to clipboard!"
            failedMessage="Failed to copy link"
          />
        </div>
        <ShareCode code={referralCode} link={link} senderName={user.fullName} withHelp />
      </section>
      <section className={`card ${styles.part}`} aria-labelledby="earn-tickets">
        <h2 id="earn-tickets">Earn Tickets</h2>
        <dl className={styles.earn}>
          <div>
            <dt>Someone signs up with your code</dt>
            <dd>{counted(ticketsOf.signup, 'ticket')} each, for them and for you</dd>
          </div>
          <div>
            <dt>Their first listing goes live</dt>
            <dd>{counted(ticketsOf.listing, 'ticket')} for you, and their first month is free</dd>
          </div>
        </dl>
        <Notice kind="prize">
          <p>Every time someone uses your code, you can choose between a free month or 5 draw entries!</p>
          <p>You choose once their first listing is live.</p>
        </Notice>
      </section>
    </div>
  );
}
