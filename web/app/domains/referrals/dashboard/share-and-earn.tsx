import { counted } from '@handwise/contract/numbers';
import { referralTickets } from '@handwise/contract/draws/prize';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { ownReferralCodeKey, readStored, writeStored } from '../../../lib/browser-storage.ts';
import { useSession } from '../../../lib/session/session.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { OwnCode } from '../own-code.tsx';
import { useOwnCode } from '../referral-queries.ts';
import { referralLink } from '../share.ts';
import { ShareCode } from '../share-code.tsx';
import styles from './share-and-earn.module.css';

/** The user's code and link, how to share them, and the rewards. */
export function ShareAndEarn({ data }: { data: ReferralDashboard }) {
  return (
    <div className={styles.tab}>
      <section className={`card ${styles.part}`} aria-labelledby="your-code">
        <h2 id="your-code">Your Referral Code</h2>
        {data.referralCode === '' ? <GenerateCode /> : <Share data={data} />}
      </section>
      <section className={`card ${styles.part}`} aria-labelledby="earn-tickets">
        <h2 id="earn-tickets">Earn Tickets</h2>
        <dl className={styles.earn}>
          <div>
            <dt>Someone signs up with your code</dt>
            <dd>{counted(referralTickets.signup, 'ticket')} each, for them and for you</dd>
          </div>
          <div>
            <dt>Their first listing goes live</dt>
            <dd>{counted(referralTickets.listing, 'ticket')} for you, and their first month is free</dd>
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

function Share({ data: { referralCode, referralLink: ownLink, user } }: { data: ReferralDashboard }) {
  const link = ownLink || referralLink(location.origin, referralCode);
  return (
    <>
      <OwnCode code={referralCode} copyLabel="Copy" />
      <div className={styles.link}>
        <div>
          <p className={styles.label}>Your referral link</p>
          <p className={styles.address}>{link}</p>
        </div>
        <CopyButton text={link} label="Copy Link" copiedMessage="Referral link copied to clipboard!" failedMessage="Failed to copy link" />
      </div>
      <ShareCode code={referralCode} link={link} senderName={user.fullName} withHelp />
    </>
  );
}

/** For accounts that have no code yet. */
function GenerateCode() {
  const { user } = useSession();
  const own = useOwnCode();
  const generate = () =>
    own.mutate(undefined, {
      onSuccess: ({ code }) => {
        const isKnown = code === user?.referralCode || code === readStored(ownReferralCodeKey);
        writeStored(ownReferralCodeKey, code);
        toast(isKnown ? 'Referral code retrieved!' : 'Referral code generated!');
      },
      onError: () => toast('Failed to retrieve referral code', 'error'),
    });
  return (
    <div>
      <Button busy={own.isPending} onClick={generate}>
        Generate Referral Code
      </Button>
    </div>
  );
}
