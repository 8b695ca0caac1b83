import { paths } from '@handwise/contract/paths';
import { useSearchParams } from 'react-router';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/linked-decision';
import styles from '../layouts/account.module.css';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { ApiError } from '../../lib/api-error.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import { DecisionCard } from '../../domains/admin/decision-card.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'A decision about you',
    description: 'What our moderators decided, why, and how to object.',
    path: paths.linkedDecision,
    noIndex: true,
  });

/** The page is rendered without the token, which belongs to the reader. */
export default function LinkedDecisionPage() {
  const [search] = useSearchParams();
  const { initialized } = useSession();
  return (
    <Container>
      <div className={styles.page}>
        <h1>A decision about you</h1>
        {initialized ? <LinkedDecision token={search.get('token') ?? ''} /> : <LoadingView />}
      </div>
    </Container>
  );
}

/** The decision of an emailed link, also for users who can no longer sign in. */
function LinkedDecision({ token }: { token: string }) {
  const query = useQuery({
    queryKey: ['linked-decision', token],
    queryFn: ({ signal }) => call('POST /decisions/linked', { body: { token } }, signal),
    staleTime: 0,
  });
  const { data, error, refetch } = query;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState title="This link doesn’t work">
        Please use the whole link from the email. If you are signed in, your account shows the decision too.
      </EmptyState>
    );
  }
  if (error && !data) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!data) return <LoadingView />;
  return (
    <>
      <ReloadProblem query={query} />
      <DecisionCard
        decision={data}
        onAppeal={async (text) => {
          await call('POST /decisions/linked/appeal', { body: { token, text } });
          await refetch();
        }}
      />
    </>
  );
}
