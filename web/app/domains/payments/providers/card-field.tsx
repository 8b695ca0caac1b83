import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useImperativeHandle, useRef, useState } from 'react';
import { CardFieldProblem, CardFieldSkeleton } from './card-field-states.tsx';
import { type CardFieldProps, type CardHandle, cardTexts } from './card-outcome-view.ts';
import { paymentConfig } from '../payment-queries.ts';

// After a deployment an open page may request a deleted file, so the retry reloads the page.
const problem = () => ({ default: () => <CardFieldProblem onRetry={() => location.reload()} /> });
// Loaded once the installation's mode is known, so that a sandbox page loads nothing of the real provider.
const Sandbox = lazy(() => import('./sandbox-card-field.tsx').then((file) => ({ default: file.SandboxCardField }), problem));
const Real = lazy(() => import('./stripe-field.tsx').then((file) => ({ default: file.StripeField }), problem));

const patienceMs = 10_000;

/** A handle that may be requested before it is available. */
function useArrival<Handle>() {
  const current = useRef<Handle>(null);
  const [waiting] = useState(() => new Set<(handle: Handle | null) => void>());
  const arrive = useCallback(
    (handle: Handle | null) => {
      current.current = handle;
      if (!handle) return;
      for (const resolve of waiting) resolve(handle);
      waiting.clear();
    },
    [waiting],
  );
  const arrived = useCallback(async (): Promise<Handle | null> => {
    if (current.current) return current.current;
    return new Promise((resolve) => {
      waiting.add(resolve);
      setTimeout(() => resolve(null), patienceMs);
    });
  }, [waiting]);
  return { arrive, arrived };
}

/**
 * The provider's field for a new card or another way to pay. Its content goes from the browser to the payment provider and never to our
 * server. Needs `Queries` around it and a form, which calls its handle on submit.
 */
export function CardField({ ref, ...props }: CardFieldProps) {
  const config = useQuery(paymentConfig);
  const { arrive, arrived } = useArrival<CardHandle>();
  const failed = config.isError;
  useImperativeHandle(ref, () => {
    // An early submit waits for the field instead of failing.
    const field = async () => (failed ? null : arrived());
    return { collect: async (billing) => (await field())?.collect(billing) ?? { error: cardTexts.notInitialized } };
  }, [failed, arrived]);
  if (failed) return <CardFieldProblem onRetry={() => void config.refetch()} />;
  if (!config.data) return <CardFieldSkeleton />;
  const Field = config.data.mode === 'sandbox' ? Sandbox : Real;
  return (
    <Suspense fallback={<CardFieldSkeleton />}>
      <Field {...props} ref={arrive} config={config.data} />
    </Suspense>
  );
}
