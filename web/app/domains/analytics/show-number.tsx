import type { OutputOf } from '@handwise/contract/calls';
import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/forms/button.tsx';

type Shown = OutputOf<'POST /listing/:id/phone'>;

/** A business's phone number, fetched on a tap, so that no page holds it and the seller learns how many people asked. */
export function ShowNumber({ listingId, business }: { listingId: string; business: string }) {
  const [shown, setShown] = useState<Shown | 'loading' | Error | null>(null);
  const show = () => {
    setShown('loading');
    call('POST /listing/:id/phone', { params: { id: listingId } }).then(setShown, setShown);
  };
  if (shown !== null && typeof shown === 'object' && 'number' in shown) {
    return (
      <a href={`tel:${shown.number}`} ref={focusLink}>
        {shown.text}
        <span className="visually-hidden">: call {business}</span>
      </a>
    );
  }
  return (
    <>
      <Button kind="secondary" size="sm" busy={shown === 'loading'} onClick={show}>
        Show number
      </Button>
      {shown instanceof Error && <span role="alert">{shown.message}</span>}
    </>
  );
}

// The button that had the focus is gone.
const focusLink = (link: HTMLAnchorElement | null) => link?.focus();
