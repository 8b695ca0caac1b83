import type { PublicDraw } from '@handwise/contract/draws/calls';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import styles from './draw-papers.module.css';
import { commandOf, papersOf } from './draw-view.ts';

/** Everything to take away, and the way to check it without this page. */
export function DrawPapers({ draw, origin }: { draw: PublicDraw; origin: string }) {
  const papers = papersOf(draw.period);
  const isClosed = draw.closedAt !== null;
  return (
    <div className={styles.papers}>
      <ul className={styles.list}>
        {isClosed && (
          <li>
            <a href={papers.proof} download={`draw-${draw.period}.json`}>
              The proof
            </a>
            : all tickets, the seal and the result
          </li>
        )}
        <li>
          <a href={papers.log} download={`log-${draw.period}.txt`}>
            The log
          </a>
          : every ticket that was given or taken back, in order
        </li>
        <li>
          <a href={papers.checkpoint}>The newest seal of the log</a>, signed
        </li>
        {isClosed && (
          <li>
            <a href={papers.pack} download={`draw-${draw.period}.zip`}>
              The pack for a regulator
            </a>
            : terms, tickets, log, proof and dates, without anybody’s name
          </li>
        )}
        <li>
          <Link to={`${paths.drawRules}?month=${draw.period}`}>The terms of this month</Link>
        </li>
      </ul>
      {isClosed && (
        <div className={styles.command}>
          <p>
            Without a browser or JavaScript, the same check runs on your own computer, from the source of this site, with the log and an
            email that you have saved:
          </p>
          <pre className={styles.code}>
            <code>{commandOf(origin, draw.period)}</code>
          </pre>
        </div>
      )}
    </div>
  );
}
