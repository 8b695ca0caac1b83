import type { PublicDraw } from '@handwise/contract/draws/calls';
import { count, counted } from '@handwise/contract/numbers';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import type { DrawShares } from './check/check-messages.ts';
import type { Checker } from './check/checker.ts';
import { useCheckerResult } from './check/use-checker.ts';
import styles from './draw-picture.module.css';
import { getCell, cellOutline } from './draw-wall.ts';
import { getEdition, isSmallDraw, ticketNumber } from './draw-view.ts';

type DrawPictureProps = { draw: PublicDraw; runCheck: Checker['runCheck'] };

/** A picture of all tickets and the winning one, drawn from the published list once scrolled into view. */
export function DrawPicture({ draw, runCheck }: DrawPictureProps) {
  const [answer, start] = useCheckerResult(runCheck, 'picture');
  const frame = useRef<HTMLDivElement>(null);
  const edition = getEdition(draw);
  const isAutoLoaded = isSmallDraw(draw);
  const { period } = draw;
  useEffect(() => {
    if (!isAutoLoaded || !frame.current) return;
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      watch.disconnect();
      void start({ period, edition });
    });
    watch.observe(frame.current);
    return () => watch.disconnect();
  }, [isAutoLoaded, period, edition, start]);

  return (
    <div ref={frame} className={styles.picture}>
      {answer.state === 'idle' && !isAutoLoaded && (
        <Button kind="secondary" onClick={() => void start({ period, edition })}>
          Draw all {counted(draw.totalTickets, 'ticket')}
        </Button>
      )}
      {answer.state === 'busy' && <p role="status">Reading the list…</p>}
      {answer.state === 'failed' && <ErrorDisplay error={answer.message} onRetry={() => void start({ period, edition })} />}
      {answer.state === 'done' && <Tickets draw={draw} picture={answer.value} />}
    </div>
  );
}

function Tickets({ draw, picture }: { draw: PublicDraw; picture: DrawShares }) {
  const { wall, shares } = picture;
  const { winner } = draw;
  const won = winner && getCell(wall, winner.ticketIndex);
  const each =
    wall.perCell === 1
      ? 'Each square is one ticket; where the shade changes, the next entry begins.'
      : `Each square stands for ${count(wall.perCell)} tickets.`;
  const found = winner
    ? ` The winning one is ticket number ${ticketNumber(winner.ticketIndex)}, in row ${(won?.y ?? 0) + 1} of ${wall.rows}.`
    : '';
  return (
    <>
      <figure className={styles.figure}>
        <svg
          className={styles.wall}
          viewBox={`-0.4 -0.4 ${wall.columns + 0.8} ${wall.rows + 0.8}`}
          role="img"
          aria-label={`All ${counted(draw.totalTickets, 'ticket')} in their order.${found}`}
        >
          <path className={styles.even} d={wall.tones[0]} />
          <path className={styles.odd} d={wall.tones[1]} />
          {won && <path className={styles.won} d={cellOutline(won)} />}
          {won && <circle className={styles.ring} cx={won.x + 0.5} cy={won.y + 0.5} r={1.1} />}
        </svg>
        <figcaption>
          {each}
          {winner && (
            <>
              {' '}
              <span className={styles.key} aria-hidden="true" /> marks the winning one: ticket number {ticketNumber(winner.ticketIndex)}.
            </>
          )}
        </figcaption>
      </figure>
      <table className={styles.shares}>
        <caption>How many tickets each entry had</caption>
        <thead>
          <tr>
            <th scope="col">An entry with</th>
            <th scope="col">Entries</th>
            <th scope="col">Tickets in all</th>
          </tr>
        </thead>
        <tbody>
          {shares.map((share) => (
            <tr key={share.tickets}>
              <th scope="row">{share.tickets}</th>
              <td>{count(share.entries)}</td>
              <td>
                <span className={styles.bar} style={{ inlineSize: `${(100 * share.total) / draw.totalTickets}%` }} aria-hidden="true" />
                {count(share.total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
