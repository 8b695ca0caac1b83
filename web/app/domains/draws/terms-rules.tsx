import { amount } from '@handwise/contract/money';
import type { DrawTerms, PromotionRule } from '@handwise/contract/tickets/calls';
import styles from './draw-terms.module.css';
import { placeName } from './terms-view.ts';

const limit = (rule: PromotionRule['permitAbove']) => (rule ? `Above $${amount(rule.amountMinor / 100)} ${rule.currency}` : 'None');

/** What each state and country requires of a promotion like this, when that was read, and where. */
export const TermsRules = ({ terms }: { terms: DrawTerms }) => (
  <section className={styles.section}>
    <h2>What each state and country requires</h2>
    <p>
      We read these on the day shown and compared them with the prize and the terms before the month began. This is not legal advice: where
      it differs from the law, the law applies. A dash means we found no such rule.
    </p>
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- without it nobody could scroll by keyboard */}
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
