import { type QuoteTime, quoteTimes } from '@handwise/contract/messages/quote-words';
import type { ComponentProps } from 'react';
import { TextField } from '../../../../ui/forms/form-field.tsx';
import styles from './quote-when.module.css';

type QuoteWhenProps = {
  when: QuoteTime;
  onChoose: (when: QuoteTime) => void;
  /** The field of the day. */
  date: Omit<ComponentProps<typeof TextField>, 'label' | 'type'>;
};

export const QuoteWhen = ({ when, onChoose, date }: QuoteWhenProps) => (
  <fieldset className={styles.when}>
    <legend className={styles.legend}>When would you like it done?</legend>
    <div className={styles.choices}>
      {Object.entries(quoteTimes).map(([value, text]) => (
        <label key={value} className={styles.choice}>
          <input type="radio" name="when" value={value} checked={when === value} onChange={() => onChoose(value as QuoteTime)} />
          {text}
        </label>
      ))}
    </div>
    {when === 'date' && <TextField label="Which day?" type="date" {...date} />}
  </fieldset>
);
