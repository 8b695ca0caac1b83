import type { PublicDraw } from '@handwise/contract/draws/calls';
import { chanceText, drawName, prizeStates, resultText, totalsText } from './draw-view.ts';
import { DrawCountdown } from './draw-countdown.tsx';
import styles from './draw-head.module.css';
import { SandboxNote } from './sandbox-note.tsx';

/** What one wants to know first: which draw, and who won. */
export const DrawHead = ({ draw }: { draw: PublicDraw }) => (
  <header className={styles.head}>
    <h1>The draw of {drawName(draw)}</h1>
    <SandboxNote draw={draw} />
    {/* Nobody wants to hear each second; the result is said when it comes. */}
    <p className={styles.result} role={draw.status === 'waiting' ? 'timer' : 'status'}>
      {resultText(draw)}
    </p>
    {draw.winner ? (
      <p>
        With {chanceText(draw.winner.tickets, draw.totalTickets)}. {prizeStates[draw.winner.prize]}
      </p>
    ) : (
      <p>{totalsText(draw)}</p>
    )}
    {draw.status === 'open' && <DrawCountdown until={draw.closesAt} />}
  </header>
);
