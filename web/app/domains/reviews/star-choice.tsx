import { counted } from '@handwise/contract/numbers';
import { useId } from 'react';
import styles from './star-choice.module.css';

type StarChoiceProps = { value: number; onChange: (stars: number) => void; error?: string | undefined };

const star = 'M10 1.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8L10 14.9l-5.2 2.7 1-5.8L1.6 7.7l5.8-.8z';
const words = ['', 'Poor', 'Fair', 'Good', 'Very good', 'Excellent'];

/** One to five stars, as radio buttons: arrow keys choose. */
export function StarChoice({ value, onChange, error }: StarChoiceProps) {
  const id = useId();
  return (
    <fieldset className={styles.frame} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.legend}>Your rating</legend>
      <div className={styles.row}>
        {[1, 2, 3, 4, 5].map((stars) => (
          <label key={stars} className={styles.star} data-full={stars <= value || undefined}>
            <input
              type="radio"
              name="rating"
              value={stars}
              checked={value === stars}
              onChange={() => onChange(stars)}
              className={styles.input}
            />
            <svg viewBox="0 0 20 20" width="36" height="36" aria-hidden="true" focusable="false">
              <path d={star} />
            </svg>
            <span className="visually-hidden">{counted(stars, 'star')}</span>
          </label>
        ))}
        <span className={styles.word} aria-hidden="true">
          {words[value]}
        </span>
      </div>
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          <span className="visually-hidden">Error: </span>
          {error}
        </p>
      )}
    </fieldset>
  );
}
