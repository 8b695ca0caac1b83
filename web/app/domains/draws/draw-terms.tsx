import type { DrawTerms as Terms } from '@handwise/contract/tickets/calls';
import { dayText, drawMoment } from './draw-times.ts';
import styles from './draw-terms.module.css';
import { TermsRules } from './terms-rules.tsx';

const Sentences = ({ title, sentences }: { title: string; sentences: readonly string[] }) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </section>
);

/** The terms of one month, as they were fixed when its period began. */
export const DrawTerms = ({ terms }: { terms: Terms }) => (
  <div className={styles.terms}>
    <section className={styles.section}>
      <h2>The prize</h2>
      <p>
        <strong>{terms.prize.title}.</strong> {terms.prize.paid}
      </p>
      <p>
        Tickets in this draw are those given from {drawMoment(terms.startsAt)} until {drawMoment(terms.closesAt)} New Zealand time.
      </p>
    </section>
    <Sentences title="How to get tickets" sentences={terms.tickets} />
    <Sentences title="Who may enter" sentences={terms.whoMayEnter} />
    <Sentences title="How the winner is drawn" sentences={terms.howDrawn} />
    <Sentences title="What the winner does" sentences={terms.winner} />
    <section className={styles.section}>
      <h2>The key of the log</h2>
      <p>
        Every seal of the ticket log is signed with one key. If you keep its public half today, you can spot anyone else’s seal tomorrow.
      </p>
      <dl className={styles.key}>
        <dt>The log</dt>
        <dd>
          <code>{terms.log.origin}</code>
        </dd>
        <dt>Its public key (Ed25519)</dt>
        <dd>
          <code>{terms.log.publicKey}</code>
        </dd>
      </dl>
    </section>
    <TermsRules terms={terms} />
    <p className="muted">
      {terms.version}, in force since {dayText(terms.startsAt)}. {terms.notice}
    </p>
  </div>
);
