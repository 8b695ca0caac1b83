import type { showBusinessPhone } from '@handwise/contract/analytics/calls';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/forms/button.tsx';

/** A business's phone number, fetched on a tap, so that no page holds it and the seller learns how often people asked. */
export function ShowNumber({ listingId, business }: { listingId: string; business: string }) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => call<typeof showBusinessPhone>({ method: 'POST', url: '/listing/:id/phone' }, { params: { id: listingId } }),
  });
  return (
    <span aria-live="polite">
      {data ? (
        <a href={`tel:${data.number}`} ref={focusLink}>
          {data.text}
          <span className="visually-hidden">: call {business}</span>
        </a>
      ) : (
        <Button kind="quiet" size="sm" busy={isPending} onClick={() => mutate()}>
          Show number
        </Button>
      )}
      {error && <span role="alert"> {error.message}</span>}
    </span>
  );
}

// The button that had the focus is gone.
const focusLink = (link: HTMLAnchorElement | null) => link?.focus();
