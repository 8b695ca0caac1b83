import { momentText } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { prizeText } from '@handwise/contract/draws/prize';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { drawTimeZone } from '@handwise/contract/tickets/calls';
import { IconTrophy } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../lib/session/session.ts';
import { NextDrawTimer } from '../next-draw-timer.tsx';
import { referralDashboard } from '../referral-queries.ts';
import { drawDateText, monthText } from '../referral-view.ts';
import styles from './monthly-draws.module.css';

const rules = [
  'The draw is on the last day of each month.',
  'Each ticket is one entry.',
  'More tickets mean better chances.',
  'Winners are notified by email and announced on the platform.',
];

/** The prize, the time until the next draw, and its rules in short. */
export function MonthlyDraws({ data: { currentDraw } }: { data: ReferralDashboard }) {
  const { user } = useSession();
  const client = useQueryClient();
  const userId = user?._id;
  // Then another month runs.
  const readAnew = useCallback(() => void client.invalidateQueries({ queryKey: referralDashboard(userId).queryKey }), [client, userId]);
  return (
    <div className={styles.tab}>
      <section className={`card ${styles.prize}`} aria-labelledby="prize-pool">
        <IconTrophy size={40} stroke={1.75} aria-hidden="true" />
        <div>
          <h2 id="prize-pool">{prizeText} prize pool</h2>
          <p>Win a Premium Listing Package worth {prizeText}</p>
        </div>
      </section>
      <section className={`card ${styles.part}`} aria-labelledby="next-draw">
        <h2 id="next-draw">Next Draw In</h2>
        <NextDrawTimer until={currentDraw.drawDate} onEnd={readAnew} />
        <p>
          <strong>Monthly Draw:</strong> {drawDateText(currentDraw, drawTimeZone)}
        </p>
        <p className="muted">
          The draw of {monthText(currentDraw.year, currentDraw.month)} closes on {momentText(currentDraw.drawDate, drawTimeZone)} New
          Zealand time. Later tickets are for the month after.
        </p>
      </section>
      <section className={`card ${styles.part}`} aria-labelledby="draw-rules">
        <h2 id="draw-rules">How the draw works</h2>
        <ul className={styles.rules}>
          {rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
        <p className={styles.more}>
          <Link to={paths.draws}>All draws, and how to check them</Link>
          <Link to={paths.drawRules}>The rules in full</Link>
        </p>
      </section>
    </div>
  );
}
