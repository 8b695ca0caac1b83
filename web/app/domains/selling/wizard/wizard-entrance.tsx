import type { SessionUser } from '@handwise/contract/accounts/calls';
import type { CountryCode } from '@handwise/contract/markets';
import { useState } from 'react';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { LoadingView, LoadingWords } from '../../../lib/loading-view.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { useSubscriptions } from '../../plans/plan-queries.ts';
import { businessWords } from './business-step.tsx';
import { useLastBusiness } from './last-business.ts';
import styles from './wizard-entrance.module.css';
import { readDraft } from './wizard-draft.ts';
import { WizardFrame } from './wizard-frame.tsx';
import { Wizard } from './wizard.tsx';

/** What most visitors will see, before the browser says where the wizard begins. */
export const WizardWaiting = () => (
  <>
    <div className="visitor-only">
      <WizardFrame step="business" {...businessWords} preview={<div className={styles.beside} />}>
        <noscript>
          <p className={styles.needsScript}>
            Listing your business needs JavaScript. Please switch it on in your browser and load the page again. You can read{' '}
            <Link to={paths.pros}>what a listing costs and includes</Link> without it, or <Link to={paths.contact}>write to us</Link>.
          </p>
        </noscript>
        <div className={styles.waiting} role="status">
          <LoadingWords />
          {[104, 76, 76, 76, 76, 180].map((height, index) => (
            <Skeleton key={index} height={height} radius="var(--radius-sm)" />
          ))}
        </div>
      </WizardFrame>
    </div>
    <div className="member-only">
      <LoadingView />
    </div>
  </>
);

type EntranceProps = { user: SessionUser | null; market: CountryCode | null };

/** Waits for what decides the first step: what the user has bought, and the business that is known of them. */
export function WizardEntrance({ user, market }: EntranceProps) {
  const subscriptions = useSubscriptions(user?._id);
  const [isNew] = useState(() => readDraft(market) === null);
  const [entered, setEntered] = useState(false);
  const business = useLastBusiness(user?._id, isNew && user !== null && !entered);
  if (!entered) {
    if (subscriptions.isLoading || business.isLoading) return <LoadingView />;
    // Once in, the wizard stays, whatever is bought or loaded meanwhile.
    setEntered(true);
  }
  return <Wizard user={user} market={market} subscriptions={subscriptions} known={business.data ?? null} />;
}
