import { formatMoment } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { noCard } from '@handwise/contract/referrals/holds';
import { drawTimeZone } from '@handwise/contract/draws/prize';
import { Link } from 'react-router';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { HeldWords } from '../held-words.tsx';

/** Notices about the user's tickets: the address is unconfirmed, the registration is under review, or a card is missing. */
export function OwnNotices({ data: { user, ownReferral, drawEntries, currentDraw } }: { data: ReferralDashboard }) {
  return (
    <>
      {!user.emailConfirmed && drawEntries.total > 0 && (
        <Notice kind="prize">
          <strong>
            Your {counted(drawEntries.total, 'ticket')} only {drawEntries.total === 1 ? 'counts' : 'count'} with a confirmed address.
          </strong>{' '}
          Open the link that we sent to {user.email} before the draw closes on {formatMoment(currentDraw.drawDate, drawTimeZone)} New
          Zealand time.
        </Notice>
      )}
      {ownReferral?.heldBecause === noCard && (
        <Notice>
          <strong>The person whose code you used is waiting for their reward.</strong> They get it once you have saved a card that no other
          account uses, which charges nothing, or paid for a plan. <Link to={paths.cards}>Save a card.</Link>
        </Notice>
      )}
      {ownReferral?.heldBecause && ownReferral.heldBecause !== noCard && (
        <Notice>
          <strong>The code that you signed up with is being checked.</strong> Its ticket and your free first month wait for that.{' '}
          <HeldWords held={ownReferral} payer="you" />
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
