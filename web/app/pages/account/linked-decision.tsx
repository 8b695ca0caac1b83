import { paths } from '@handwise/contract/paths';
import { useSearchParams } from 'react-router';
import { LinkedDecision } from '../../domains/admin/linked-decision.tsx';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/linked-decision';
import styles from '../layouts/account.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'A decision about you',
    description: 'What our moderators decided, why, and how to object.',
    path: paths.linkedDecision,
    noIndex: true,
  });

/** The page is rendered without the token, which is nobody's but the reader's. */
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
