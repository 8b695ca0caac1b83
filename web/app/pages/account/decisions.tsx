import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/decisions';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ownDecisions } from '../../domains/admin/decision-queries.ts';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import { DecisionCard } from '../../domains/admin/decision-card.tsx';
import styles from '../../domains/admin/decision-card.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Decisions about you',
    description: 'What our moderators decided about you and your content, and how to object.',
    path: paths.decisions,
    noIndex: true,
  });

export default function DecisionsPage() {
  return (
    <>
      <h2>Decisions about you</h2>
      <OwnDecisions />
    </>
  );
}

/** Moderation decisions about the reader, newest first. */
function OwnDecisions() {
  const query = useQuery(ownDecisions);
  const { data, error, refetch } = query;
  if (error && !data) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingView />;
  if (data.length === 0)
    return (
      <>
        <ReloadProblem query={query} />
        <EmptyState title="Nothing has been decided about you">
          If that ever changes, you will read here what, why, and how to object.
        </EmptyState>
      </>
    );
  return (
    <div className={styles.list}>
      <ReloadProblem query={query} />
      {data.map((decision) => (
        <DecisionCard
          key={decision._id}
          decision={decision}
          onAppeal={async (text) => {
            await call('POST /decisions/:id/appeal', { params: { id: decision._id }, body: { text } });
            await refetch();
          }}
        />
      ))}
    </div>
  );
}
