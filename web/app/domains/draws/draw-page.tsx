import type { PublicDraw } from '@handwise/contract/draws/calls';
import { DrawOpening } from '../../ui/page/draw-opening.tsx';
import { Fragment, type ReactNode } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { CheckFindings } from './check/check-findings.tsx';
import { MailCheck } from './check/mail-check.tsx';
import { OwnTickets } from './check/own-tickets.tsx';
import { useCheckerResult, useChecker } from './check/use-checker.ts';
import styles from './draw-page.module.css';
import { DrawPicture } from './draw-picture.tsx';
import { DrawStory } from './draw-story.tsx';
import {
  getEdition,
  formatStruck,
  formatChance,
  drawName,
  prizeStates,
  formatResult,
  formatTotals,
  verifyCommand,
  drawFiles,
} from './draw-view.ts';
import { useFreshDraw } from './use-fresh-draw.ts';
import { DrawCountdown } from './draw-countdown.tsx';
import { SandboxNote } from './sandbox-note.tsx';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section className={styles.part} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** One month’s draw, with everything to check it. */
export function DrawPage({ asRendered, origin }: { asRendered: PublicDraw; origin: string }) {
  const draw = useFreshDraw(asRendered);
  const runCheck = useChecker();
  const [answer, start] = useCheckerResult(runCheck, 'check');
  const isOver = draw.status === 'completed';
  return (
    <>
      <DrawHead draw={draw} />
      <DrawStory draw={draw}>
        {draw.closedAt && (
          <p>
            <Button
              busy={answer.state === 'busy'}
              onClick={() => void start({ period: draw.period, edition: getEdition(draw), mail: null, commitment: null })}
            >
              {answer.state === 'busy' ? 'Checking…' : isOver ? 'Check this draw in my browser' : 'Check what is published so far'}
            </Button>
          </p>
        )}
        <noscript>
          <p className={styles.noScript}>
            Checking here needs JavaScript. Without it, the command further down does the same check on your computer.
          </p>
        </noscript>
      </DrawStory>
      <CheckFindings draw={draw} answer={answer} />
      {draw.totalTickets > 0 && draw.closedAt && (
        <Part id="picture" title="All tickets in one picture">
          <DrawPicture draw={draw} runCheck={runCheck} />
        </Part>
      )}
      {draw.struck.length > 0 && (
        <Part id="struck" title="Struck">
          <p className={styles.words}>
            Drawn, but not allowed to win or not claimed in time. The entry and the reason stay here for good; the next reserve of the same
            draw took its place.
          </p>
          <ul className={styles.list}>
            {draw.struck.map((one) => (
              <li key={one.entryId}>
                <code>{one.entryId}</code>
                <br />
                {formatStruck(one)}
                {one.samePerson.length > 0 && (
                  <>
                    <br />
                    Passed over, as entries of the same person:
                    {one.samePerson.map((entryId) => (
                      <Fragment key={entryId}>
                        <br />
                        <code>{entryId}</code>
                      </Fragment>
                    ))}
                  </>
                )}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part id="own" title="Was my ticket in the draw?">
        <p className={styles.words}>Sign in to find your own tickets here, each with its path to the published seal.</p>
        <OwnTickets draw={draw} runCheck={runCheck} />
      </Part>
      <Part id="mail" title="Do you have an old email?">
        <p className={styles.words}>
          Every email about a ticket ends with the seal that the log had at that moment. Paste one: if anything before it has been changed,
          taken out or put in since, the seal does not fit today’s log.
        </p>
        <MailCheck draw={draw} runCheck={runCheck} />
      </Part>
      <Part id="papers" title="Downloads">
        <DrawPapers draw={draw} origin={origin} />
      </Part>
      <Part id="limits" title="What no check can show">
        <ul className={styles.list}>
          <li>That entrants are different real people: one person may be behind two entries. The terms have rules against that.</li>
          {draw.struck.some(({ samePerson }) => samePerson.length > 0) && (
            <li>That an entry passed over belongs to the person who was struck. Only its owner can see that it is theirs.</li>
          )}
          <li>That an email was sent to everyone. If you got none, you can still look for your ticket above.</li>
          <li>Who somebody is. The list has random numbers and no names, so that it can be public.</li>
        </ul>
      </Part>
    </>
  );
}

/** Which draw it is, and who won. */
const DrawHead = ({ draw }: { draw: PublicDraw }) => (
  <header className={styles.head}>
    <h1>The draw of {drawName(draw)}</h1>
    <SandboxNote draw={draw} />
    {/* Screen readers announce the result, not each second. */}
    <p className={styles.result} role={draw.status === 'waiting' ? 'timer' : 'status'}>
      {formatResult(draw)}
    </p>
    {draw.winner ? (
      <p>
        With {formatChance(draw.winner.tickets, draw.totalTickets)}. {prizeStates[draw.winner.prize]}
      </p>
    ) : (
      <p>{formatTotals(draw)}</p>
    )}
    {draw.status === 'open' && (
      <>
        <DrawCountdown until={draw.closesAt} />
        <DrawOpening />
      </>
    )}
  </header>
);

/** The published files, and how to check the draw without this page. */
function DrawPapers({ draw, origin }: { draw: PublicDraw; origin: string }) {
  const files = drawFiles(draw.period);
  const isClosed = draw.closedAt !== null;
  return (
    <div className={styles.files}>
      <ul className={styles.files}>
        {isClosed && (
          <li>
            <a href={files.proof} download={`draw-${draw.period}.json`}>
              The proof
            </a>
            : all tickets, the seal and the result
          </li>
        )}
        <li>
          <a href={files.log} download={`log-${draw.period}.txt`}>
            The log
          </a>
          : every ticket that was given or taken back, in order
        </li>
        <li>
          <a href={files.checkpoint}>The newest seal of the log</a>, signed
        </li>
        {isClosed && (
          <li>
            <a href={files.pack} download={`draw-${draw.period}.zip`}>
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
            <code>{verifyCommand(origin, draw.period)}</code>
          </pre>
        </div>
      )}
    </div>
  );
}
