import { dateText, momentText } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { ReferralDashboard } from '@handwise/contract/referrals';
import { drawTimeZone } from '@handwise/contract/tickets';
import { Link } from 'react-router';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** Why something is held back, until when, and whom to tell that it is wrong. */
export const HeldWords = ({ because, until }: { because: string; until: string | null }) => (
  <>
    {because}
    {until && ` If nobody has decided by ${dateText(until, drawTimeZone)}, it counts.`} Is this wrong?{' '}
    <Link to={paths.contact}>Tell us why.</Link>
  </>
);

/** What one must know of one's own tickets: that the address must be confirmed, and whether one's registration is being looked at. */
export function OwnNotices({ data: { user, ownReferral, drawEntries, currentDraw } }: { data: ReferralDashboard }) {
  return (
    <>
      {!user.emailConfirmed && drawEntries.total > 0 && (
        <Notice kind="prize">
          <strong>
            Your {counted(drawEntries.total, 'ticket')} only {drawEntries.total === 1 ? 'counts' : 'count'} with a confirmed address.
          </strong>{' '}
          Open the link that we sent to {user.email} before the draw closes on {momentText(currentDraw.drawDate, drawTimeZone)} New Zealand
          time.
        </Notice>
      )}
      {ownReferral?.heldBecause && (
        <Notice>
          <strong>The code that you signed up with is being checked.</strong> Its ticket and your free first month wait for that.{' '}
          <HeldWords because={ownReferral.heldBecause} until={ownReferral.heldUntil} />
        </Notice>
      )}
      {ownReferral?.status === 'refused' && (
        <Notice>
          <strong>The code that you signed up with does not count.</strong> {ownReferral.refusedBecause} Is this wrong?{' '}
          <Link to={paths.contact}>Tell us why.</Link>
        </Notice>
      )}
    </>
  );
}
