import type { Alert } from '@handwise/contract/alerts/calls';
import styles from './tell-me.module.css';

const frequencies = { daily: 'each day', weekly: 'on Mondays' } as const satisfies Record<Alert['frequency'], string>;
const isFrequency = (text: string): text is Alert['frequency'] => Object.hasOwn(frequencies, text);

type FrequencySelectProps = { value: Alert['frequency']; label: string; onChange: (frequency: Alert['frequency']) => void };

/** How often an alert mails. */
export const FrequencySelect = ({ value, label, onChange }: FrequencySelectProps) => (
  <select
    className={styles.select}
    aria-label={label}
    value={value}
    onChange={({ target }) => {
      if (isFrequency(target.value)) onChange(target.value);
    }}
  >
    {Object.entries(frequencies).map(([frequency, text]) => (
      <option key={frequency} value={frequency}>
        {text}
      </option>
    ))}
  </select>
);
