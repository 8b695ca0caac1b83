import { formatMoment } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { drawTimeZone, prizeText } from '@handwise/contract/draws/prize';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { IconTrophy } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '../../../lib/session/session.ts';
import { referralDashboard } from '../referral-queries.ts';
import { formatDrawDate, formatReferralMonth } from '../referral-view.ts';
import styles from './monthly-draws.module.css';
import { counted } from '@handwise/contract/numbers';
import { getNextMinuteMs, getTimeLeft } from '../../../lib/format.ts';

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
  // The next month's draw has opened.
  const refetch = useCallback(() => void client.invalidateQueries({ queryKey: referralDashboard(userId).queryKey }), [client, userId]);
  return (
    <div className={styles.tab}>
      <section className={`card ${styles.prize}`} aria-labelledby="prize-pool">
        <IconTrophy size={40} stroke={1.75} aria-hidden="true" />
        <div>
          <h2 id="prize-pool">{prizeText()} prize pool</h2>
          <p>Win a Premium Listing Package worth {prizeText()}</p>
          <p>That is {prizeText()} in money, paid to your bank account.</p>
        </div>
      </section>
      <section className={`card ${styles.part}`} aria-labelledby="next-draw">
        <h2 id="next-draw">Next Draw In</h2>
        <NextDrawTimer until={currentDraw.drawDate} onEnd={refetch} />
        <p>
          <strong>Monthly Draw:</strong> {formatDrawDate(currentDraw, drawTimeZone)}
        </p>
        <p className="muted">
          The draw of {formatReferralMonth(currentDraw.year, currentDraw.month)} closes on{' '}
          {formatMoment(currentDraw.drawDate, drawTimeZone)} New Zealand time. Later tickets are for the month after.
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

type NextDrawTimerProps = {
  until: string;
  /** Called when the time is up. */
  onEnd: () => void;
};

/** Days, hours and minutes until a moment, updated every minute. */
function NextDrawTimer({ until, onEnd }: NextDrawTimerProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const wait = getNextMinuteMs(until, now);
    if (wait === null) return;
    const timer = setTimeout(() => {
      const then = Date.now();
      setNow(then);
      if (getNextMinuteMs(until, then) === null) onEnd();
    }, wait);
    return () => clearTimeout(timer);
  }, [until, now, onEnd]);
  const left = getTimeLeft(until, now);
  const parts = [
    { unit: 'Days', one: 'day', value: left.days },
    { unit: 'Hours', one: 'hour', value: left.hours },
    { unit: 'Minutes', one: 'minute', value: left.minutes },
  ];
  return (
    <div className={styles.parts} role="timer" aria-label={parts.map(({ one, value }) => counted(value, one)).join(', ')}>
      {parts.map(({ unit, value }) => (
        <span key={unit} className={styles.timerPart} aria-hidden="true">
          <span className={styles.number}>{value}</span>
          <span className={styles.unit}>{unit}</span>
        </span>
      ))}
    </div>
  );
}
