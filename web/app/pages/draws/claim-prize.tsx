import { paths } from '@handwise/contract/paths';
import { ClaimPrize } from '../../domains/draws/claim/claim-prize.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/claim-prize';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Claim your prize',
    description: 'Tell us where to pay your prize.',
    path: paths.claimPrize,
    noIndex: true,
  });

export default function ClaimPrizePage() {
  return <ClaimPrize />;
}
