import { paths } from '@handwise/contract/paths';
import type { Alert } from '@handwise/contract/alerts/calls';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { toast } from '../../../ui/feedback/toast.tsx';
import { saveSearchAlert } from './alert-search.ts';
import styles from './alert-offer.module.css';

/** Whether a search filters by rating, replies or availability, which new listings do not have yet. */
const filtersByHistory = (search: string) => ['minRating', 'replied', 'available'].some((name) => new URLSearchParams(search).has(name));

type SaveAlertButtonProps = { search: string; isConfirmed: boolean; children: ReactNode };

/** Saves a search as an alert with one press, and then asks how often to email. */
export function SaveAlertButton({ search, isConfirmed, children }: SaveAlertButtonProps) {
  const [saved, setSaved] = useState<Alert | null>(null);
  const [busy, setBusy] = useState(false);
  const save = async (frequency: Alert['frequency']) => {
    setBusy(true);
    try {
      setSaved(await saveSearchAlert(search, frequency));
    } catch (error) {
      toast(error instanceof Error ? error.message : 'Your alert could not be saved. Please try again.', 'error');
    }
    setBusy(false);
  };
  return (
    <div className={styles.place} role="status">
      {saved ? (
        <p className={styles.saved}>
          <span>{isConfirmed ? 'We email you new ones' : 'Once your address is confirmed, we email you new ones'}</span>
          <FrequencySelect value={saved.frequency} label="How often to email you new ones" onChange={(frequency) => void save(frequency)} />
          <Link to={paths.alerts}>Your alerts</Link>
          {filtersByHistory(search) && (
            <span className={styles.note}>
              New businesses have no ratings or answers yet: without these filters you will hear about more.
            </span>
          )}
        </p>
      ) : (
        <button
          type="button"
          className={styles.offer}
          aria-disabled={busy || undefined}
          onClick={busy ? undefined : () => void save('daily')}
        >
          {children}
        </button>
      )}
    </div>
  );
}

const frequencies = { daily: 'each day', weekly: 'on Mondays' } as const satisfies Record<Alert['frequency'], string>;
const isFrequency = (text: string): text is Alert['frequency'] => Object.hasOwn(frequencies, text);

type FrequencySelectProps = { value: Alert['frequency']; label: string; onChange: (frequency: Alert['frequency']) => void };

/** How often an alert sends email. */
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
