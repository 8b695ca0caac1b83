import { paths } from '@handwise/contract/paths';
import { ReferralDashboard } from '../../domains/referrals/dashboard/referral-dashboard.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/referral';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Referral Dashboard',
    description: 'Your referral code, who has used it, and your draw tickets.',
    path: paths.referral,
    noIndex: true,
  });

export default function ReferralPage() {
  return <ReferralDashboard />;
}
