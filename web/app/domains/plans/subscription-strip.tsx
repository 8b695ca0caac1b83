import type { Subscription } from '@handwise/contract/plans/calls';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { savedCards } from '../payments/payment-queries.ts';
import { useSubscriptions } from './plan-queries.ts';
import { RenewalPanel } from './renewal-panel.tsx';
import styles from './subscription-strip.module.css';
import { formatDate, dayMs } from '@handwise/contract/dates';
import { subscriptionDays } from '@handwise/contract/plans/table';

type Shown = Pick<Subscription, 'isActive' | 'isReplaced' | 'isReturned' | 'isDisputed' | 'isRenewed' | 'endDate' | 'timeZone'>;

/** The subscriptions shown above the member's listings: running ones unless the next one has their listings, and for one plan's length those that a refund ended. */
export function isShownInStrip({ isActive, isReplaced, isReturned, isRenewed, endDate }: Shown, now: Date): boolean {
  const isFresh = now.getTime() - Date.parse(endDate) < subscriptionDays * dayMs;
  return (isActive && !isRenewed) || (isReturned && !isReplaced && isFresh);
}

/** A plan's mark in one word, and its meaning. */
export function getMark({ isActive, isDisputed }: Pick<Shown, 'isActive' | 'isDisputed'>): { mark: string; means: string } | null {
  if (!isActive) return { mark: 'Ended', means: 'Its payment is being refunded, so its listings are no longer shown. They are kept.' };
  if (!isDisputed) return null;
  return {
    mark: 'Paused',
    means:
      'Your bank is looking at its payment. What is published stays up, but nothing new can be published under the plan until the bank has decided.',
  };
}

export const describeEnd = ({
  isActive,
  endDate,
  timeZone,
  renewal,
}: Pick<Subscription, 'isActive' | 'endDate' | 'timeZone' | 'renewal'>) =>
  `${!isActive ? 'Ended on' : renewal?.state === 'on' ? 'Runs until' : 'Ends on'} ${formatDate(endDate, timeZone)}`;

/** Whether the strip's height is still unknown. Not while a call is repeated or the device is offline, because that must not block what is below. */
export function useStripLoads(userId: string | undefined): boolean {
  return [useSubscriptions(userId), useQuery(savedCards)].some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
}

/** The running subscriptions: plan, used slots and end; those that a refund ended; or an introduction without any. */
export function SubscriptionStrip({ userId }: { userId: string | undefined }) {
  const { data, isPending, refetch } = useSubscriptions(userId);
  // Needed by the renewals; awaited here, so that the strip changes its height once.
  const cards = useQuery(savedCards);
  const [now] = useState(() => new Date());
  if (isPending || cards.isPending) {
    return (
      <div className={styles.strip} aria-hidden="true">
        <Skeleton width="100%" height={86} radius="var(--radius)" />
      </div>
    );
  }
  // A failure to load must not block the listings.
  if (!data) {
    return (
      <div className={styles.strip}>
        <LoadProblem text="Your plans could not be loaded." onRetry={() => void refetch()} />
      </div>
    );
  }
  const shown = data.subscriptions.filter((one) => isShownInStrip(one, now));
  if (shown.length === 0) {
    return (
      <div className={styles.strip}>
        <div className={`card ${styles.plan}`}>
          <p className={styles.name}>
            <strong>No plan is running</strong>
          </p>
          <p className={styles.means}>You choose one when you publish a listing.</p>
        </div>
      </div>
    );
  }
  return (
    <ul className={styles.strip} aria-label="Your subscriptions">
      {shown.map((one) => (
        <OwnPlan key={one._id} subscription={one} userId={userId} hasFreeMonth={data.credits.length > 0} />
      ))}
    </ul>
  );
}

type OwnPlanProps = { subscription: Subscription; userId: string | undefined; hasFreeMonth: boolean };

function OwnPlan({ subscription, userId, hasFreeMonth }: OwnPlanProps) {
  const { plan, country, slots, slotsUsed, isFree, isActive, isDisputed, renewal } = subscription;
  const particular = getMark(subscription);
  return (
    <li className={`card ${styles.plan}`}>
      <p className={styles.name}>
        <strong>{plan.name} plan</strong>
        <span className={styles.mark}>{country}</span>
        {isFree && <span className={styles.mark}>Free month</span>}
        {particular && (
          <span className={styles.mark} data-bad>
            {particular.mark}
          </span>
        )}
      </p>
      <p className={styles.slots}>
        {slotsUsed} of {slots} {slots === 1 ? 'listing' : 'listings'}
      </p>
      {isActive && (
        <meter className={styles.meter} min={0} max={slots} value={slotsUsed} aria-label={`Listings used of the ${plan.name} plan`} />
      )}
      <p className={styles.end}>{describeEnd(subscription)}</p>
      {particular && (
        <p className={styles.means}>
          {particular.means} {!isActive && <Link to={paths.receipts}>See the refund</Link>}
        </p>
      )}
      {isActive && (!isDisputed || renewal) && <RenewalPanel subscription={subscription} userId={userId} hasFreeMonth={hasFreeMonth} />}
    </li>
  );
}
