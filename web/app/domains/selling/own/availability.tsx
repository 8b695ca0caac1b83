import { addDays, getDay } from '@handwise/contract/dates';
import { isId } from '@handwise/contract/ids';
import { formatAvailability, getStateOfWeek, maxBookedDays } from '@handwise/contract/listings/availability';
import type { ListingCard } from '@handwise/contract/listings/calls';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ownListingQuery, useAvailability } from './my-listings-queries.ts';
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

/** The choice of an email's link, to be confirmed: opening the link changes nothing. */
export function AvailabilityOffer() {
  const [search, setSearch] = useSearchParams();
  const [now] = useState(() => new Date());
  const id = search.get('listing') ?? '';
  const query = useQuery({ ...ownListingQuery(id), enabled: isId(id) });
  const saving = useAvailability(id);
  const close = () =>
    setSearch(
      (before) => {
        before.delete('listing');
        before.delete('week');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  const listing = query.data;
  const state = listing ? getStateOfWeek(search.get('week') ?? '', getDay(now, listing.timeZone)) : null;
  const words = state === 'this_week' ? 'available this week' : 'available next week';
  return (
    <Dialog
      open={listing?.status === 'active' && listing.businessEmailAddress !== undefined}
      onClose={close}
      title={state ? `Say that you are ${words}?` : 'That week is over'}
      actions={
        <>
          <Button kind="secondary" onClick={close}>
            {state ? 'Not now' : 'Close'}
          </Button>
          {state && (
            <Button busy={saving.isPending} onClick={() => saving.mutate({ state }, { onSettled: close })}>
              Say {words}
            </Button>
          )}
        </>
      }
    >
      <p>
        <strong>{listing?.serviceTitle}</strong>{' '}
        {state
          ? 'says so on its card and page, and customers who search for a business with time find it. It ends by itself.'
          : 'can say when you have time now: choose below.'}
      </p>
    </Dialog>
  );
}
