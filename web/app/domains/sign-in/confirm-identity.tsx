import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { answerConfirmation } from '../../lib/session/confirmation-retry.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';

const ConfirmIdentityForm = lazy(async () => ({ default: (await import('./confirm-identity-form.tsx')).ConfirmIdentityForm }));

/** Confirms the user's identity before sensitive actions anywhere on the page, which then continue by themselves. */
export function ConfirmIdentity() {
  const [open, setOpen] = useState(false);
  const answer = useRef<(proved: boolean) => void>(undefined);
  useEffect(
    () =>
      answerConfirmation(() => {
        setOpen(true);
        return new Promise((resolve) => (answer.current = resolve));
      }),
    [],
  );
  const close = (proved: boolean) => {
    setOpen(false);
    answer.current?.(proved);
  };
  return (
    <Dialog open={open} onClose={() => close(false)} title="Is it you?">
      <Suspense fallback={<LoadingView />}>
        <ConfirmIdentityForm onProved={() => close(true)} />
      </Suspense>
    </Dialog>
  );
}
