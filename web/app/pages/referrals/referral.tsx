import { paths } from '@handwise/contract/paths';
import { OlderReferral } from '../../domains/referrals/older-referral.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/referral';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Refer a friend',
    description: 'Your referral code, and who has used it.',
    path: paths.referral,
    noIndex: true,
  });

export default function ReferralPage() {
  return <OlderReferral />;
}
