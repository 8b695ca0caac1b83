import type { QuotedJob } from '@handwise/contract/messages/quotes';
import { tradeText, wantedText } from '@handwise/contract/messages/quote-words';
import styles from './job-facts.module.css';

/** Kind of job, place and time, in one line where there is room. */
export const JobFacts = ({
  category,
  subCategory,
  place,
  when,
  date,
}: Pick<QuotedJob, 'category' | 'subCategory' | 'place' | 'when' | 'date'>) => (
  <dl className={styles.facts}>
    {(
      [
        ['Job', tradeText(category, subCategory)],
        ['Where', place],
        ['When', wantedText(when, date)],
      ] as const
    ).map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
