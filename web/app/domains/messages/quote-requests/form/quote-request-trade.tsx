import { categories, mainCategoryNames } from '@handwise/contract/listings/categories';
import { formatTrade, type JobTime, jobTimes } from '@handwise/contract/messages/job-words';
import { isTradeShown } from '@handwise/contract/site/open';
import { useId, type ComponentProps } from 'react';
import styles from './quote-request-trade.module.css';
import { TextField } from '../../../../ui/forms/form-field.tsx';

type Trade = { category: string; subCategory: string };

type QuoteRequestTradeProps = Trade & {
  id: string;
  error: string | undefined;
  /** Whether it was derived from the text. */
  isRead: boolean;
  onChoose: (trade: Trade) => void;
};

// Separates group and sub-category in an option's value, because groups share names of sub-categories.
const separator = '|';

/** The kind of job as a chip that opens the list of all kinds. */
export function QuoteRequestTrade({ category, subCategory, id, error, isRead, onChoose }: QuoteRequestTradeProps) {
  const hint = useId();
  return (
    <div className={styles.trade}>
      <label className={styles.label} htmlFor={id}>
        Kind of job
      </label>
      <select
        id={id}
        name="trade"
        className={styles.chip}
        value={category && `${category}${separator}${subCategory}`}
        data-empty={category === '' || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint}
        onChange={({ target }) => {
          const [group = '', sub = ''] = target.value.split(separator);
          onChoose({ category: group, subCategory: sub });
        }}
      >
        <option value="">Choose…</option>
        {categories
          .filter(({ slug }) => isTradeShown(slug))
          .map(({ name, mainCategory, subCategories }) => (
            <optgroup key={name} label={`${name} (${mainCategoryNames[mainCategory]})`}>
              <option value={`${name}${separator}`}>{name}</option>
              {subCategories
                .filter((sub) => sub.name !== name)
                .map((sub) => (
                  <option key={sub.code} value={`${name}${separator}${sub.name}`}>
                    {formatTrade(name, sub.name)}
                  </option>
                ))}
            </optgroup>
          ))}
      </select>
      <p id={hint} className={error ? styles.error : styles.hint} role="status">
        {error ?? (isRead ? 'Worked out from what you wrote. Change it if that’s wrong.' : '')}
      </p>
    </div>
  );
}

type QuoteRequestWhenProps = {
  when: JobTime;
  onChoose: (when: JobTime) => void;
  /** The properties of the date field. */
  date: Omit<ComponentProps<typeof TextField>, 'label' | 'type'>;
};

export const QuoteRequestWhen = ({ when, onChoose, date }: QuoteRequestWhenProps) => (
  <fieldset className={styles.when}>
    <legend className={styles.legend}>When would you like it done?</legend>
    <div className={styles.choices}>
      {Object.entries(jobTimes).map(([value, text]) => (
        <label key={value} className={styles.choice}>
          <input type="radio" name="when" value={value} checked={when === value} onChange={() => onChoose(value as JobTime)} />
          {text}
        </label>
      ))}
    </div>
    {when === 'date' && <TextField label="Which day?" type="date" {...date} />}
  </fieldset>
);
