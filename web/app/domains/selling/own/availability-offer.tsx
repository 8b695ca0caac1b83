import { getDay } from '@handwise/contract/dates';
import { isId } from '@handwise/contract/ids';
import { getStateOfWeek } from '@handwise/contract/listings/availability';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ownListingQuery, useAvailability } from './my-listings-queries.ts';

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
