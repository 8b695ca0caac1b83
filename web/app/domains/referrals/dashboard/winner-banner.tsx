import { dateText } from '@handwise/contract/dates';
import { count } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { WinnerStatus } from '@handwise/contract/referrals/calls';
import { drawTimeZone } from '@handwise/contract/tickets/calls';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { monthText } from '../referral-view.ts';
import styles from './winner-banner.module.css';

/** For who has won: what, and by when it is to be claimed. Once it is paid there is nothing left to say. */
export function WinnerBanner({ status: { isWinner, winningDraw } }: { status: WinnerStatus }) {
  if (!isWinner || !winningDraw || winningDraw.paymentStatus === 'paid') return null;
  const { prizeAmount, month, year, claimBy, paymentStatus } = winningDraw;
  const claimed = paymentStatus === 'claimed';
  return (
    <section className={styles.banner} aria-labelledby="winner">
      <div className={styles.words}>
        <h2 id="winner">
          You won ${count(prizeAmount)} in the draw of {monthText(year, month)}
        </h2>
        <p>
          {claimed
            ? 'We have your bank details. The payment is on its way.'
            : `Claim it by ${dateText(claimBy, drawTimeZone)}, or it goes to a reserve.`}
        </p>
      </div>
      <ButtonLink to={paths.claimPrize}>{claimed ? 'See your claim' : 'Claim your prize'}</ButtonLink>
    </section>
  );
}
