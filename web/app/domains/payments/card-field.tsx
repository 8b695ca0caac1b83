import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useImperativeHandle, useRef } from 'react';
import { CardFieldProblem, CardFieldSkeleton } from './card-field-states.tsx';
import { type CardFieldProps, type CardHandle, cardTexts } from './card-outcome.ts';
import { paymentConfig } from './payment-config.ts';

// Each in its own file, loaded when the installation's mode is known: nothing of the real provider comes to a page of the sandbox.
const failed = () => ({ default: CardFieldProblem });
const Sandbox = lazy(() => import('./sandbox-card-field.tsx').then((file) => ({ default: file.SandboxCardField }), failed));
const Real = lazy(() => import('./stripe-card-field.tsx').then((file) => ({ default: file.StripeCardField }), failed));

/**
 * The field for a new card. What is typed goes from the browser to the payment provider and never to our own server.
 * Needs `Queries` around it. Stands inside the page's form; the page calls its handle when the form is sent.
 */
export function CardField({ ref, ...props }: CardFieldProps) {
  const config = useQuery(paymentConfig);
  const field = useRef<CardHandle>(null);
  useImperativeHandle(
    ref,
    () => ({
      confirmPayment: async (...input) => field.current?.confirmPayment(...input) ?? { error: cardTexts.notInitialized },
      confirmSetup: async (...input) => field.current?.confirmSetup(...input) ?? { error: cardTexts.notInitialized },
    }),
    [],
  );
  if (config.isError) return <CardFieldProblem />;
  if (!config.data) return <CardFieldSkeleton />;
  const Field = config.data.mode === 'sandbox' ? Sandbox : Real;
  return (
    <Suspense fallback={<CardFieldSkeleton />}>
      <Field {...props} ref={field} config={config.data} />
    </Suspense>
  );
}
