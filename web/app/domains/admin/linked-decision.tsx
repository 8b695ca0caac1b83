import { appealLinkedDecision, showLinkedDecision } from '@handwise/contract/admin/report-calls';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { DecisionCard } from './decision-card.tsx';

/** The decision of an emailed link, also for users who can no longer sign in. */
export function LinkedDecision({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['linked-decision', token],
    queryFn: ({ signal }) => call(showLinkedDecision, { body: { token } }, signal),
    staleTime: 0,
  });
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState title="This link doesn’t work">
        Please use the whole link from the email. If you are signed in, your account shows the decision too.
      </EmptyState>
    );
  }
  if (error) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingView />;
  return (
    <DecisionCard
      decision={data}
      onAppeal={async (text) => {
        await call(appealLinkedDecision, { body: { token, text } });
        await refetch();
      }}
    />
  );
}
