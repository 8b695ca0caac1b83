import { paths } from '@handwise/contract/paths';
import { ReferralDashboard } from '../../domains/referrals/dashboard/referral-dashboard.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/referral-dashboard';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Referral Dashboard',
    description: 'Your referrals, your draw tickets, and how to get more.',
    path: paths.referralDashboard,
    noIndex: true,
  });

export default function ReferralDashboardPage() {
  return <ReferralDashboard />;
}
