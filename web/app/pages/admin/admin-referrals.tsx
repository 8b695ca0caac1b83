import { paths } from '@handwise/contract/paths';
import { ReferralQueue } from '../../domains/admin/desk/referral-queue.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-referrals';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Referrals',
    description: 'Referrals waiting for a decision.',
    path: paths.adminReferrals,
    noIndex: true,
  });

export default function AdminReferralsPage() {
  return (
    <>
      <h1>Referrals</h1>
      <ReferralQueue />
    </>
  );
}
