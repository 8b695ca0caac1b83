import type { PublicDraw } from '@handwise/contract/draws/calls';
import { count, counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import styles from './draw-story.module.css';
import { drawMoment } from './draw-times.ts';
import { formatPrize, ticketNumber, formatWaiting } from './draw-view.ts';

const Part = ({ title, at, children }: { title: string; at?: string | null; children: ReactNode }) => (
  <li className={`card ${styles.part}`}>
    <h2 className={styles.title}>{title}</h2>
    {at && <p className={styles.at}>{drawMoment(at)} New Zealand time</p>}
    {children}
  </li>
);

/** The draw in three parts, without mathematics: what was committed to, what was drawn, what follows. */
export const DrawStory = ({ draw, children }: { draw: PublicDraw; children: ReactNode }) => (
  <ol className={styles.story}>
    <Promised draw={draw} />
    <RandomNumber draw={draw} />
    <Part title="The result">
      <Follows draw={draw} />
      {children}
    </Part>
  </ol>
);

function Promised({ draw }: { draw: PublicDraw }) {
  if (!draw.closedAt) {
    return (
      <Part title="What we promise">
        <p>
          Every ticket is written into a public log the moment it is given, without a name. Emails about tickets carry the log’s seal, so
          thousands of mailboxes remember what it said.
        </p>
        <p>When the draw closes, all tickets are published and sealed, and a number that nobody can know yet is named to decide it.</p>
      </Part>
    );
  }
  return (
    <Part title="What we promised beforehand" at={draw.closedAt}>
      <p>
        We published all {counted(draw.totalTickets, 'ticket')}, without names, and sealed the list with one long number. Change a single
        ticket, and the seal no longer fits.
      </p>
      {draw.round && (
        <p>
          With it we named what would decide the draw: round {count(draw.round.number)} of a public stream of random numbers. It{' '}
          {draw.status === 'waiting' ? 'is' : 'was'} not out before {drawMoment(draw.round.expectedAt)}, so nobody could know it.
        </p>
      )}
      {draw.root && (
        <p className={styles.seal}>
          <span className={styles.label}>The seal</span> <code>{draw.root}</code>
        </p>
      )}
    </Part>
  );
}

function RandomNumber({ draw }: { draw: PublicDraw }) {
  const { round } = draw;
  if (draw.status === 'open') {
    return (
      <Part title="What happens next" at={draw.closesAt}>
        <p>Then the draw closes. A few minutes later the named round of public randomness comes out, and with it the winner.</p>
      </Part>
    );
  }
  if (!round) {
    return (
      <Part title="The random number">
        <p>There was nothing to draw from, so no random number was named.</p>
      </Part>
    );
  }
  if (draw.status === 'waiting') {
    return (
      <Part title="What happens next" at={round.expectedAt}>
        <p>{formatWaiting(round)}</p>
        <p>This page updates by itself.</p>
      </Part>
    );
  }
  return (
    <Part title="The random number" at={round.expectedAt}>
      {round.chain === 'sandbox' ? (
        <p>
          Round {count(round.number)} came from this sandbox’s own stand-in for the public randomness, which is why this is not a real draw.
        </p>
      ) : (
        <p>
          Round {count(round.number)} of{' '}
          <a href="https://drand.love" rel="noopener noreferrer">
            drand
          </a>{' '}
          came out: one long random number, made by many independent organisations together and signed by them. None of them could choose
          it, and neither could we.
        </p>
      )}
      <p>It was this round or none. Nothing is ever drawn twice.</p>
    </Part>
  );
}

function Follows({ draw }: { draw: PublicDraw }) {
  const { winner } = draw;
  if (draw.status !== 'completed') {
    return (
      <p>
        The list and the number together lead to exactly one ticket, by <Link to={paths.drawRules}>rules written down beforehand</Link>.
        Then anyone can check it here.
      </p>
    );
  }
  if (!winner) {
    return (
      <p>
        {draw.outcome === 'no_entries'
          ? 'There were no tickets, so there is no winner. You can still check the log of the month.'
          : 'The prize was not awarded: neither the winner nor any reserve claimed it in time, or was allowed to win.'}
      </p>
    );
  }
  return (
    <>
      <p>
        The list and the number together lead to ticket number {ticketNumber(winner.ticketIndex)}, and to no other. It won{' '}
        {formatPrize(draw.prize)}.
      </p>
      {winner.place > 0 && (
        <p>It is the reserve in place {winner.place}: those drawn before it were struck or passed over, as listed below.</p>
      )}
      <p>You don’t have to believe us. Let your own browser work it out:</p>
    </>
  );
}
