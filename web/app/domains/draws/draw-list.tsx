import type { PublicDraw } from '@handwise/contract/draws/calls';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { DrawCountdown } from './draw-countdown.tsx';
import styles from './draw-list.module.css';
import { SandboxNote } from './sandbox-note.tsx';
import { formatDrawDay, drawMoment } from './draw-times.ts';
import { drawName, prizeStates, formatPrize, formatResult, formatTotals } from './draw-view.ts';
import { useFreshDraw } from './use-fresh-draw.ts';

/** All draws: the open one, and the results of the others. */
export function DrawList({ draws }: { draws: readonly PublicDraw[] }) {
  const running = draws.filter(({ status }) => status !== 'completed');
  const past = draws.filter(({ status }) => status === 'completed');
  return (
    <>
      {running.map((draw) => (
        <RunningDraw key={draw.period} asRendered={draw} />
      ))}
      <section aria-labelledby="past-draws">
        <h2 id="past-draws">Past draws</h2>
        {past.length === 0 ? (
          <p className={styles.none}>There are none yet. The first will be here when it is over, with everything needed to check it.</p>
        ) : (
          <ul className={styles.past}>
            {past.map((draw) => (
              <li key={draw.period}>
                <PastDraw draw={draw} />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function RunningDraw({ asRendered }: { asRendered: PublicDraw }) {
  const draw = useFreshDraw(asRendered);
  return (
    <section className={`card ${styles.running}`} aria-labelledby={`draw-${draw.period}`}>
      <div className={styles.words}>
        <h2 id={`draw-${draw.period}`}>{drawName(draw)}</h2>
        <p className={styles.prize}>{formatPrize(draw.prize)} for one ticket</p>
        <p>{formatResult(draw)}</p>
        <p className="muted">{formatTotals(draw)}</p>
        <p className={styles.actions}>
          <ButtonLink to={paths.draw(draw.period)} kind="secondary" size="sm">
            See this draw
          </ButtonLink>
        </p>
      </div>
      {draw.status === 'open' && (
        <div className={styles.clock}>
          <p className="muted">Closes in</p>
          <DrawCountdown until={draw.closesAt} />
          <p className="muted">New Zealand time decides: {drawMoment(draw.closesAt)}.</p>
        </div>
      )}
    </section>
  );
}

const PastDraw = ({ draw }: { draw: PublicDraw }) => (
  <Link to={paths.draw(draw.period)} className={`card ${styles.card}`}>
    <h3>{drawName(draw)}</h3>
    <p className={styles.result}>{formatResult(draw)}</p>
    {draw.winner && <p>{prizeStates[draw.winner.prize]}</p>}
    <p className="muted">
      {formatTotals(draw)}
      {draw.closedAt && `, closed on ${formatDrawDay(draw.closedAt)}`}
    </p>
    <SandboxNote draw={draw} short />
  </Link>
);
