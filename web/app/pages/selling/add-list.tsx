import { paths } from '@handwise/contract/paths';
import { formatFromPrice, subscriptionDays } from '@handwise/contract/plans/table';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { useSession } from '../../lib/session/session.ts';
import type { Route } from './+types/add-list';
import type { SessionUser } from '@handwise/contract/accounts/calls';
import type { CountryCode } from '@handwise/contract/markets';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { LoadingView, LoadingWords } from '../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useSubscriptions } from '../../domains/plans/plan-queries.ts';
import { businessWords } from '../../domains/selling/wizard/business-step.tsx';
import { useLastBusiness } from '../../domains/selling/wizard/last-business.ts';
import styles from './add-list.module.css';
import { createDraft, loadChecks, listStoredDrafts } from '../../domains/selling/wizard/wizard-draft.ts';
import type { parseDraft } from '../../domains/selling/wizard/wizard-checks.ts';
import { StepProblem, WizardFrame } from '../../domains/selling/wizard/wizard-frame.tsx';
import { Wizard } from '../../domains/selling/wizard/wizard.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'List your business',
    description: `Describe your service, choose a plan from ${formatFromPrice()} / ${subscriptionDays} days, and be found by people near you. No commission.`,
    path: paths.addListing,
  });

export default function AddListPage() {
  const { user, initialized } = useSession();
  const { market } = useRootData();
  // The stored draft, which only the browser knows, decides the first step.
  if (!initialized) return <WizardWaiting />;
  return <WizardEntrance user={user} market={market} />;
}

/** The first step as most visitors will see it, until the browser knows which step it is. */
const WizardWaiting = () => (
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

/** Waits for what decides the first step: the draft, the user's subscriptions and the business of their last listing. */
function WizardEntrance({ user, market }: EntranceProps) {
  const subscriptions = useSubscriptions(user?._id);
  const { draft, isDamaged, isGone } = useStoredDraft(market);
  const [entered, setEntered] = useState(false);
  const business = useLastBusiness(user?._id, draft === null && user !== null && !entered);
  if (isGone) return <StepProblem />;
  if (!entered) {
    if (draft === undefined || subscriptions.isLoading || business.isLoading) return <LoadingView />;
    // Without them a listing that a plan covers would be offered for payment.
    if (subscriptions.isError && !subscriptions.data)
      return <ErrorDisplay error={subscriptions.error} onRetry={() => void subscriptions.refetch()} level={1} />;
    // Once shown, the wizard stays mounted, so that later purchases and reloads do not restart it.
    setEntered(true);
  }
  return (
    <Wizard
      user={user}
      market={market}
      subscriptions={subscriptions}
      stored={draft ?? null}
      isDamaged={isDamaged}
      lastBusiness={business.data ?? null}
    />
  );
}

/** The browser's draft: undefined until it has been checked, null without one. `isDamaged`: parts are lost. `isGone`: its checks failed to load. */
function useStoredDraft(market: CountryCode | null) {
  const [texts] = useState(listStoredDrafts);
  const [read, setRead] = useState<ReturnType<typeof parseDraft> | undefined>(texts.length === 0 ? null : undefined);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (texts.length === 0) return;
    loadChecks().then(
      (checks) => setRead(texts.map((text) => checks.parseDraft(text, market, createDraft(market))).find((one) => one !== null) ?? null),
      () => setGone(true),
    );
  }, [texts, market]);
  return { draft: read && read.draft, isDamaged: read?.isDamaged ?? false, isGone };
}
