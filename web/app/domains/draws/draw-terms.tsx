import { count } from '@handwise/contract/numbers';
import type { DrawTerms as Terms, PromotionRule } from '@handwise/contract/tickets/calls';
import { formatDrawDay, drawMoment } from './draw-times.ts';
import styles from './draw-terms.module.css';
import { amount } from '@handwise/contract/money';
import { placeName } from '@handwise/contract/draws/permits';

const limit = (rule: PromotionRule['permitAbove']) => (rule ? `Above $${amount(rule.amountMinor / 100)} ${rule.currency}` : 'None');

/** Each state's and country's rules for such promotions, with source and date. */
const TermsRules = ({ terms }: { terms: Terms }) => (
  <section className={styles.section}>
    <h2>What each state and country requires</h2>
    <p>
      We read these on the day shown and compared them with the prize and the terms before the month began. This is not legal advice: where
      it differs from the law, the law applies. A dash means we found no such rule.
    </p>
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- needed to scroll by keyboard */}
    <section className={styles.scroll} tabIndex={0} aria-label="Rules of the states and countries">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Place</th>
            <th scope="col">Permit</th>
            <th scope="col">Before the start</th>
            <th scope="col">Winner told and published</th>
            <th scope="col">Scrutineer</th>
            <th scope="col">Records kept</th>
            <th scope="col">Notes</th>
            <th scope="col">Read on, source</th>
          </tr>
        </thead>
        <tbody>
          {terms.rules.map((rule) => (
            <tr key={rule.place}>
              <th scope="row">{placeName(rule.place)}</th>
              <td>{limit(rule.permitAbove)}</td>
              <td>{rule.beforeStart ?? '–'}</td>
              <td>
                {rule.winnerToldWithin || rule.publishedWithin
                  ? [
                      rule.winnerToldWithin && `told within ${rule.winnerToldWithin}`,
                      rule.publishedWithin && `published within ${rule.publishedWithin}`,
                    ]
                      .filter(Boolean)
                      .join('; ')
                  : '–'}
              </td>
              <td>{rule.scrutineerFrom ? limit(rule.scrutineerFrom).replace('Above', 'From') : '–'}</td>
              <td>{rule.recordsKept ?? '–'}</td>
              <td>{rule.notes ?? '–'}</td>
              <td>
                {rule.readOn}
                {rule.source && <span className={styles.source}>{rule.source}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </section>
);

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
        <strong>
          ${count(terms.prize.amountMinor / 100)} in money: {terms.prize.title}.
        </strong>{' '}
        {terms.prize.paid}
      </p>
      <p>
        Tickets in this draw are those given from {drawMoment(terms.startsAt)} until {drawMoment(terms.closesAt)} New Zealand time.
      </p>
    </section>
    <Sentences title="How to get tickets" sentences={terms.tickets} />
    <Sentences title="Who may enter" sentences={terms.whoMayEnter} />
    {terms.permits && terms.permits.length > 0 && (
      <Sentences title="Permits" sentences={terms.permits.map(({ place, number }) => `${placeName(place)}: ${number}`)} />
    )}
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
      {terms.version}, in force since {formatDrawDay(terms.startsAt)}. {terms.notice}
    </p>
  </div>
);
