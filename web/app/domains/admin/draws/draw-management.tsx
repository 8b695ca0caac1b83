import type { AdminDraw } from '@handwise/contract/draws/admin';
import { count } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { UnmetRule } from '@handwise/contract/tickets/calls';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { placeName } from '../../draws/terms-view.ts';
import styles from '../desk/admin.module.css';
import { CurrentDraw } from './current-draw.tsx';
import { drawManagement, failureText } from './draw-queries.ts';
import { Scroll } from '../desk/scroll.tsx';
import { timeText } from '../desk/time-text.ts';
import { monthOf, periodOf, prizeOf, winnerName } from './draw-words.ts';
import own from './past-draws.module.css';
import { PaymentState, WinnerDeeds } from './winner-card.tsx';

/** This month's draw, past draws, and prizes to be paid. */
export function DrawManagement() {
  const { data, error, refetch } = useQuery(drawManagement);
  useCompletion(data?.currentDraw);
  useEffect(() => {
    if (error) toast(failureText(error, 'Error fetching draw data'), 'error');
  }, [error]);
  if (error && !data) return <ErrorDisplay error="Error fetching draw data" onRetry={() => void refetch()} />;
  if (!data) return <LoadingView />;
  const tiles = [
    { name: 'Participants', number: data.totalParticipants },
    { name: 'Entries', number: data.totalEntries },
    { name: 'Pending Payments', number: data.pendingPayments },
  ];
  return (
    <div className={styles.stack}>
      <ul className={styles.tiles}>
        {tiles.map(({ name, number }) => (
          <li key={name} className={`card ${styles.tile}`}>
            <span className={styles.number}>{count(number)}</span>
            <span>{name}</span>
          </li>
        ))}
      </ul>
      <CurrentDraw draw={data.currentDraw} />
      <UnmetRules rules={data.unmetRules} />
      <PastDraws draws={data.pastDraws} />
      <section className={styles.section}>
        <h2>Tickets by hand</h2>
        <p>
          Tickets for other reasons, such as a mistake of ours, are given on the page of an <Link to={paths.adminUsers}>account</Link>. The
          person is told, and the audit log records who gave them and why.
        </p>
      </section>
    </div>
  );
}

/** Promotion rules that this month's draw does not meet; not part of its published terms. */
const UnmetRules = ({ rules }: { rules: readonly UnmetRule[] }) =>
  rules.length > 0 && (
    <section className={styles.section} aria-labelledby="unmet-rules">
      <h2 id="unmet-rules">Promotion rules not met</h2>
      <p>Found when this month began, by the rules listed in the terms. Ask a lawyer whether the draw can run as it is.</p>
      <ul className={styles.bullets}>
        {rules.map(({ place, what }) => (
          <li key={`${place} ${what}`}>
            {placeName(place)}: {what}
          </li>
        ))}
      </ul>
    </section>
  );

/** Announces the result of the draw. */
function useCompletion(draw: AdminDraw | undefined) {
  const waitedFor = useRef<string>(null);
  const [id, status] = [draw?._id ?? null, draw?.status];
  useEffect(() => {
    if (status === 'completed' && waitedFor.current === id) toast('Draw completed successfully');
    waitedFor.current = status === 'waiting' ? id : null;
  }, [id, status]);
}

const PastDraws = ({ draws }: { draws: readonly AdminDraw[] }) => (
  <section className={styles.section} aria-labelledby="past-draws">
    <h2 id="past-draws">Past Draws</h2>
    {draws.length === 0 ? (
      <p className="muted">No past draws yet</p>
    ) : (
      <Scroll label="Table of past draws">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Winner</th>
              <th scope="col">Prize</th>
              <th scope="col" data-number>
                Entries
              </th>
              <th scope="col">Payment Status</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {draws.map((draw) => (
              <tr key={draw._id}>
                <th scope="row">
                  <Link to={paths.draw(periodOf(draw))}>{monthOf(draw)}</Link>
                  <span className={own.aside}>{timeText(draw.drawDate)}</span>
                </th>
                <td>
                  {winnerName(draw) ?? '–'}
                  {draw.winner?.userId && <span className={own.aside}>{draw.winner.userId.email}</span>}
                </td>
                <td>{prizeOf(draw)}</td>
                <td data-number>{count(draw.totalEntries)}</td>
                <td>
                  <PaymentState draw={draw} />
                </td>
                <td>
                  <WinnerDeeds draw={draw} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    )}
  </section>
);
