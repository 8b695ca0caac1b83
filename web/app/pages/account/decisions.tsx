import { paths } from '@handwise/contract/paths';
import { OwnDecisions } from '../../domains/admin/own-decisions.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/decisions';

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
