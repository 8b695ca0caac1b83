import { dateText } from '@handwise/contract/dates';
import type { Subscription } from '@handwise/contract/plans';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { useSubscriptions } from './plan-queries.ts';
import styles from './subscription-strip.module.css';

/** The running subscriptions: which plan, how many of its slots are taken, when it ends. Nothing where there is none. */
export function SubscriptionStrip({ userId }: { userId: string | undefined }) {
  const { data, isPending } = useSubscriptions(userId);
  if (isPending) {
    return (
      <div className={styles.strip} aria-hidden="true">
        <Skeleton width="100%" height={86} radius="var(--radius)" />
      </div>
    );
  }
  // What one has is worth a look, but never stands between people and their listings.
  const running = data?.subscriptions.filter((one) => one.isActive) ?? [];
  if (running.length === 0) return null;
  return (
    <ul className={styles.strip} aria-label="Your subscriptions">
      {running.map((one) => (
        <RunningPlan key={one._id} subscription={one} />
      ))}
    </ul>
  );
}

const RunningPlan = ({ subscription: { plan, country, timeZone, slots, slotsUsed, endDate, isFree } }: { subscription: Subscription }) => (
  <li className={`card ${styles.plan}`}>
    <p className={styles.name}>
      <strong>{plan.name} plan</strong>
      <span className={styles.mark}>{country}</span>
      {isFree && <span className={styles.mark}>Free month</span>}
    </p>
    <p className={styles.slots}>
      {slotsUsed} of {slots} {slots === 1 ? 'listing' : 'listings'}
    </p>
    <meter className={styles.meter} min={0} max={slots} value={slotsUsed} aria-label={`Listings used of the ${plan.name} plan`} />
    <p className={styles.end}>Ends on {dateText(endDate, timeZone)}</p>
  </li>
);
