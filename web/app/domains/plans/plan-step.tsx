import { formatDate } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { counted } from '@handwise/contract/numbers';
import { subscriptionDays } from '@handwise/contract/plans/table';
import type { Plan, Subscription } from '@handwise/contract/plans/calls';
import type { ReactNode } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { PlanChoice } from './plan-choice.tsx';
import { afterTheEnd, reminders } from './plan-words.ts';
import styles from './plan-step.module.css';
import type { usePlans } from './plan-queries.ts';

/** Plans that failed to load, with a way back. */
export const PlansProblem = ({ error, onBack, onRetry }: { error: unknown; onBack: () => void; onRetry: () => void }) => (
  <div className={styles.problem} role="alert">
    <p>Error loading plans: {(error instanceof Error && error.message) || 'Unknown error'}</p>
    <p className="muted">Nothing you typed is lost.</p>
    <div className={styles.actions}>
      <Button kind="secondary" onClick={onBack}>
        Go Back
      </Button>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  </div>
);

/** Which subscription covers a listing at no cost, until when, and how many are left. */
export function CoverNote({ cover }: { cover: Subscription }) {
  const left = cover.slots - cover.slotsUsed;
  return (
    <Notice kind="success">
      <strong>This listing is covered by your {cover.plan.name} subscription at no cost.</strong> It runs until{' '}
      {formatDate(cover.endDate, cover.timeZone)} and has room for {counted(left, 'more listing')} ({cover.slotsUsed} of {cover.slots}{' '}
      used).
    </Notice>
  );
}

type PlanStepProps = {
  plans: ReturnType<typeof usePlans>;
  country: CountryCode;
  selectedId: string | null;
  /** The subscription that covers the listing. */
  cover: Subscription | undefined;
  /** Whether a paid plan has no listing yet. */
  paid: boolean;
  /** Whether an unused free month is available. */
  hasFreeMonth: boolean;
  /** Running subscriptions without room or of another country, which explain why a plan is needed. */
  others: readonly Subscription[];
  onChange: (plan: Plan) => void;
  onNext: () => void;
  onBack: () => void;
  actions: (next: ReactNode) => ReactNode;
};

/** Step 2.1: the plan. Pressing one leads on. */
export function PlanStep({
  plans,
  country,
  selectedId,
  cover,
  paid,
  hasFreeMonth,
  others,
  onChange,
  onNext,
  onBack,
  actions,
}: PlanStepProps) {
  if (plans.isError && !plans.data) return <PlansProblem error={plans.error} onBack={onBack} onRetry={() => void plans.refetch()} />;
  if (!plans.data) return <PlansSkeleton />;
  const selected = plans.data.find((plan) => plan._id === selectedId);
  const readOnly = cover !== undefined || paid;
  return (
    <>
      <PlanChoice
        plans={plans.data}
        country={country}
        selectedId={selectedId}
        readOnly={readOnly}
        onChange={onChange}
        onPick={(plan) => {
          onChange(plan);
          onNext();
        }}
        note={
          cover ? (
            <CoverNote cover={cover} />
          ) : paid ? (
            <PaidNote />
          ) : hasFreeMonth ? (
            <FreeMonthNote />
          ) : (
            <OtherSubscriptions subscriptions={others} country={country} />
          )
        }
      />
      <p className={styles.after}>
        {cover ? `Your listing ends with your subscription on ${formatDate(cover.endDate, cover.timeZone)}.` : afterTheEnd} {reminders}, and
        nothing is charged again unless you ask for it.
      </p>
      {actions(selected && <Button onClick={onNext}>{readOnly ? 'Continue' : `Continue with ${selected.name}`}</Button>)}
    </>
  );
}

const PaidNote = () => (
  <Notice kind="success">
    <strong>Your plan is paid.</strong> All that’s left is to create the listing.
  </Notice>
);

const FreeMonthNote = () => (
  <Notice kind="success">
    <strong>You have a free month.</strong> It pays for the first {subscriptionDays} days of the plan you choose, before any card is
    charged. On Premium and Featured it needs a saved card; nothing is charged for saving one.
  </Notice>
);

function OtherSubscriptions({ subscriptions, country }: { subscriptions: readonly Subscription[]; country: CountryCode }) {
  const [first] = subscriptions;
  if (!first) return null;
  const reason =
    first.country === country
      ? `has no free slot (${first.slotsUsed} of ${first.slots} used)`
      : `is for listings in ${first.country === 'NZ' ? 'New Zealand' : 'Australia'}`;
  return (
    <Notice>
      Your {first.plan.name} subscription {reason}. Choose a plan for this listing.
    </Notice>
  );
}

const PlansSkeleton = () => (
  <div className={styles.skeleton} role="status">
    <span className="visually-hidden">Loading plans...</span>
    {[0, 1, 2].map((index) => (
      <Skeleton key={index} height={420} radius="var(--radius)" />
    ))}
  </div>
);

/** The chosen plan and its limits, on the details step. */
export const ChosenPlan = ({ plan, onChange }: { plan: Plan; onChange: (() => void) | undefined }) => (
  <div className={styles.chosen}>
    <p>
      <strong>{plan.name} plan</strong> <span className="muted">up to {plan.photos} photos</span>
    </p>
    {onChange && (
      <Button kind="quiet" size="sm" onClick={onChange}>
        Change plan
      </Button>
    )}
  </div>
);
