import { addDays, getDay } from '@handwise/contract/dates';
import { formatAvailability, maxBookedDays } from '@handwise/contract/listings/availability';
import type { ListingCard } from '@handwise/contract/listings/calls';
import { useId, useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { useAvailability } from './my-listings-queries.ts';
import styles from './my-listings.module.css';

type AvailabilityFieldsProps = { card: { id: string; title: string; availability: ListingCard['availability']; timeZone: string } };

/** Says when a business has time, each choice with one tap. */
export function AvailabilityFields({ card: { id, title, availability, timeZone } }: AvailabilityFieldsProps) {
  const saving = useAvailability(id);
  const field = useId();
  const [today] = useState(() => getDay(new Date(), timeZone));
  const [until, setUntil] = useState(addDays(today, 7));
  const about = <span className="visually-hidden">: {title}</span>;
  return (
    <fieldset className={styles.availability} disabled={saving.isPending}>
      <legend>{availability ? formatAvailability(availability) : 'Do you have time?'}</legend>
      <div className={styles.choices}>
        {(['this_week', 'next_week'] as const).map((state) => (
          <Button
            key={state}
            kind="secondary"
            size="sm"
            aria-pressed={availability?.state === state}
            onClick={() => saving.mutate({ state })}
          >
            {state === 'this_week' ? 'This week' : 'Next week'}
            {about}
          </Button>
        ))}
        {availability && (
          <Button kind="quiet" size="sm" onClick={() => saving.mutate(null)}>
            Clear{about}
          </Button>
        )}
      </div>
      <details>
        <summary>Booked until a date{about}</summary>
        <div className={styles.choices}>
          <label htmlFor={field} className="visually-hidden">
            Booked until
          </label>
          <input
            id={field}
            type="date"
            className={styles.date}
            value={until}
            min={today}
            max={addDays(today, maxBookedDays)}
            onChange={({ target }) => setUntil(target.value)}
          />
          <Button kind="secondary" size="sm" onClick={() => saving.mutate({ state: 'booked_until', until })}>
            Say booked{about}
          </Button>
        </div>
      </details>
    </fieldset>
  );
}
