import { appealDecision } from '@handwise/contract/admin/report-calls';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ownDecisions } from './decision-queries.ts';
import { DecisionCard } from './decision-card.tsx';
import styles from './decision-card.module.css';

/** Moderation decisions about the reader, newest first. */
export function OwnDecisions() {
  const { data, error, refetch } = useQuery(ownDecisions);
  if (error) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingView />;
  if (data.length === 0)
    return (
      <EmptyState title="Nothing has been decided about you">
        If that ever changes, you will read here what, why, and how to object.
      </EmptyState>
    );
  return (
    <div className={styles.list}>
      {data.map((decision) => (
        <DecisionCard
          key={decision._id}
          decision={decision}
          onAppeal={async (text) => {
            await call(appealDecision, { params: { id: decision._id }, body: { text } });
            await refetch();
          }}
        />
      ))}
    </div>
  );
}
