import type { AdminDraw } from '@handwise/contract/draws/admin';
import { count } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import styles from '../desk/admin.module.css';
import { Scroll } from '../desk/scroll.tsx';
import { timeText } from '../desk/time-text.ts';
import { monthOf, periodOf, prizeOf, winnerName } from './draw-words.ts';
import own from './past-draws.module.css';
import { PaymentState, WinnerDeeds } from './winner-card.tsx';

export const PastDraws = ({ draws }: { draws: readonly AdminDraw[] }) => (
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
