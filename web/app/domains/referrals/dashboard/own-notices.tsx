import { formatDate, formatMoment } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { drawTimeZone } from '@handwise/contract/draws/prize';
import { Link } from 'react-router';
import { Notice } from '../../../ui/feedback/notice.tsx';

type HeldWordsProps = {
  held: { heldBecause: string | null; heldUntil: string | null; heldOutcome: 'counts' | 'lapses' | null };
  /** Whose payment ends the review. */
  payer: 'you' | 'they';
};

/** Why something is held, until when, and whom to contact if that is wrong. */
export const HeldWords = ({ held: { heldBecause, heldUntil, heldOutcome }, payer }: HeldWordsProps) => (
  <>
    {heldBecause}
    {heldOutcome === 'lapses' && ` It counts as soon as ${payer} pay for a plan with a card that no connected account uses.`}
    {heldUntil &&
      ` If nobody has decided by ${formatDate(heldUntil, drawTimeZone)}, it ${heldOutcome === 'lapses' ? 'lapses' : 'counts'}.`}{' '}
    Is this wrong? <Link to={paths.contact}>Tell us why.</Link>
  </>
);

/** Notices about the user's tickets: the address is unconfirmed, or the registration is under review. */
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
      {ownReferral?.heldBecause && (
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
