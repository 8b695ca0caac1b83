import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { useSubscriptions } from './plan-queries.ts';
import { RenewalPanel } from './renewal-panel.tsx';

/** After a plan was paid for: the renewal of the plan that was bought last, if it does not renew yet. */
export function NewPlanRenewal({ userId }: { userId: string | undefined }) {
  const { data, isError, refetch } = useSubscriptions(userId);
  if (!data && isError) return <LoadProblem text="Your plan could not be loaded." onRetry={() => void refetch()} />;
  const running = data?.subscriptions.filter(({ isActive, isRenewed, isDisputed }) => isActive && !isRenewed && !isDisputed) ?? [];
  const newest = running.toSorted((one, other) => other.startDate.localeCompare(one.startDate))[0];
  if (!data || !newest) return null;
  return <RenewalPanel subscription={newest} userId={userId} hasFreeMonth={data.credits.length > 0} />;
}
