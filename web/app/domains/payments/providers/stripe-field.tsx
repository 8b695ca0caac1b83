import type { Appearance } from '@stripe/stripe-js';
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { useSession } from '../../../lib/session/session.ts';
import { CardFieldProblem, CardFieldSkeleton } from './card-field-states.tsx';
import { type CardFieldProps, cardTexts } from './card-outcome-view.ts';
import type { PaymentConfig } from '../payment-queries.ts';
import { openStripeForm } from './stripe-form.ts';
import { openStripe } from './stripe-script.ts';

type Props = CardFieldProps & { config: PaymentConfig };

/** The provider's form, with an explanation and a retry if it fails to load. */
export function StripeField(props: Props) {
  const [attempt, setAttempt] = useState(0);
  return <StripePlace key={attempt} {...props} onRetry={() => setAttempt((before) => before + 1)} />;
}

function StripePlace({ config, ref, purpose, disabled = false, onRetry }: Props & { onRetry: () => void }) {
  const { user } = useSession();
  const place = useRef<HTMLDivElement>(null);
  const form = useRef<ReturnType<typeof openStripeForm>>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const open = useEffectEvent((stripe: Parameters<typeof openStripeForm>[0]) =>
    openStripeForm(stripe, {
      purpose,
      payer: { name: user?.fullName ?? '', email: user?.email ?? '' },
      appearance: lookOfPage(),
      onReady: () => setState('ready'),
      onProblem: () => setState('failed'),
    }),
  );
  useEffect(() => {
    let isGone = false;
    const show = async () => {
      const stripe = await openStripe(config);
      if (isGone) return;
      if (!stripe) setState('failed');
      else if (place.current) {
        form.current = open(stripe);
        form.current.mount(place.current);
      }
    };
    void show();
    return () => {
      isGone = true;
      form.current?.destroy();
      form.current = null;
    };
  }, [config]);

  useEffect(() => form.current?.change(purpose), [purpose]);

  useImperativeHandle(
    ref,
    () => ({
      collect: async (billing) => (await form.current?.collect(billing)) ?? { error: cardTexts.notInitialized },
    }),
    [],
  );

  if (state === 'failed') return <CardFieldProblem onRetry={onRetry} />;
  return (
    <>
      {state === 'loading' && <CardFieldSkeleton />}
      <div ref={place} inert={disabled} />
    </>
  );
}

// The form is in the provider's iframe, which does not inherit the page's colours.
function lookOfPage(): Appearance {
  const page = getComputedStyle(document.documentElement);
  const color = (name: string) => page.getPropertyValue(name).trim();
  const edge = `1.5px solid ${color('--edge')}`;
  return {
    theme: 'flat',
    variables: {
      fontFamily: 'system-ui, sans-serif',
      fontSizeBase: '16px',
      spacingUnit: '4px',
      borderRadius: color('--radius-sm'),
      colorPrimary: color('--accent-text'),
      colorBackground: color('--card'),
      colorText: color('--ink'),
      colorTextSecondary: color('--muted'),
      colorTextPlaceholder: color('--muted'),
      colorDanger: color('--danger'),
    },
    rules: { '.Input': { border: edge }, '.Tab': { border: edge }, '.Block': { border: edge } },
  };
}
