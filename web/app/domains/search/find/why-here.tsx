import styles from './why-here.module.css';
import { type Why, whySentences } from './find-words.ts';

/** What put a card where it stands: rank, words, distance. Opens without script. */
export const WhyHere = ({ why, sort, paidPlacement }: { why: Why; sort: string | undefined; paidPlacement: boolean }) => (
  <details className={styles.why}>
    <summary>Why is this here?</summary>
    <ul className={styles.reasons}>
      {whySentences(why, { sort, paidPlacement }).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </details>
);
