import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useSession } from '../../../lib/session/session.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { ownCredits } from '../referral-queries.ts';

/** The free months that one has: what they pay for. Nothing where there is none. */
export function Credits() {
  const { user } = useSession();
  const { data } = useQuery(ownCredits(user?._id));
  if (!data || data.length === 0) return null;
  return (
    <Notice kind="success">
      <strong>You have {counted(data.length, 'free month')}.</strong> {data.length === 1 ? 'It pays' : 'Each pays'} for {subscriptionDays}{' '}
      days on any plan, for a new listing or to bring one back, before any card is charged.{' '}
      <Link to={paths.addListing}>Use it for a listing.</Link>
    </Notice>
  );
}
