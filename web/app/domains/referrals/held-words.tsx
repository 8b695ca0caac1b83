import { formatDate } from '@handwise/contract/dates';
import { drawTimeZone } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';

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
