import type { PublicDraw } from '@handwise/contract/draws/calls';
import { Fragment, type ReactNode } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { CheckFindings } from './check/check-findings.tsx';
import { MailCheck } from './check/mail-check.tsx';
import { OwnTickets } from './check/own-tickets.tsx';
import { useAnswer, useChecker } from './check/use-checker.ts';
import { DrawHead } from './draw-head.tsx';
import styles from './draw-page.module.css';
import { DrawPapers } from './draw-papers.tsx';
import { DrawPicture } from './draw-picture.tsx';
import { DrawStory } from './draw-story.tsx';
import { editionOf, struckText } from './draw-view.ts';
import { useFreshDraw } from './use-fresh-draw.ts';

const Part = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section className={styles.part} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
);

/** One month’s draw, with everything to check it. */
export function DrawPage({ asRendered, origin }: { asRendered: PublicDraw; origin: string }) {
  const draw = useFreshDraw(asRendered);
  const ask = useChecker();
  const [answer, start] = useAnswer(ask, 'check');
  const isOver = draw.status === 'completed';
  return (
    <>
      <DrawHead draw={draw} />
      <DrawStory draw={draw}>
        {draw.closedAt && (
          <p>
            <Button
              busy={answer.state === 'busy'}
              onClick={() => void start({ period: draw.period, edition: editionOf(draw), mail: null, commitment: null })}
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
          <DrawPicture draw={draw} ask={ask} />
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
                {struckText(one)}
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
        <OwnTickets draw={draw} ask={ask} />
      </Part>
      <Part id="mail" title="Do you have an old email?">
        <p className={styles.words}>
          Every email about a ticket ends with the seal that the log had at that moment. Paste one: if anything before it has been changed,
          taken out or put in since, the seal does not fit today’s log.
        </p>
        <MailCheck draw={draw} ask={ask} />
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
