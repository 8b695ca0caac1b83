import type { BillingDetails } from '@handwise/contract/payments';
import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { PaymentMethodCreateParams, Stripe } from '@stripe/stripe-js';
import { useEffect, useId, useImperativeHandle, useState } from 'react';
import { filled } from './billing-address.ts';
import { CardFieldProblem, CardFieldSkeleton } from './card-field-states.tsx';
import { type CardFieldProps, type CardHandle, type CardOutcome, cardTexts } from './card-outcome-view.ts';
import type { PaymentConfig } from './payment-config.ts';
import styles from './stripe-card-field.module.css';
import { settled, stripeOf } from './stripe-script.ts';

const billingOf = ({ name, email, line1, city, postalCode, country }: BillingDetails): PaymentMethodCreateParams.BillingDetails => ({
  name,
  email,
  address: filled({ line1, city, postal_code: postalCode, country }),
});

/** The provider's own field: what is typed into it never reaches this page. */
export function StripeCardField({ config, ...field }: CardFieldProps & { config: PaymentConfig }) {
  const [stripe, setStripe] = useState<Stripe | null | undefined>();
  useEffect(() => {
    let isGone = false;
    void stripeOf(config).then((loaded) => isGone || setStripe(loaded));
    return () => {
      isGone = true;
    };
  }, [config]);
  if (stripe === undefined) return <CardFieldSkeleton />;
  if (stripe === null) return <CardFieldProblem />;
  return (
    <Elements stripe={stripe}>
      <Field {...field} />
    </Elements>
  );
}

function Field({ ref, disabled = false, onChange, onReady }: CardFieldProps) {
  const id = useId();
  const stripe = useStripe();
  const elements = useElements();
  const [error, setError] = useState<string>();
  const [complete, setComplete] = useState(false);
  const [look] = useState(lookOfPage);

  useImperativeHandle(ref, (): CardHandle => {
    function method(billing: BillingDetails) {
      const card = elements?.getElement(CardElement);
      return stripe && card ? { stripe, data: { payment_method: { card, billing_details: billingOf(billing) } } } : null;
    }
    function missing(): CardOutcome {
      setError(cardTexts.required);
      return { error: cardTexts.required };
    }
    return {
      async confirmPayment(clientSecret, { billing, saveCard }) {
        const ready = method(billing);
        if (!ready) return { error: cardTexts.notInitialized };
        if (!complete) return missing();
        const usage = saveCard ? ({ setup_future_usage: 'off_session' } as const) : {};
        return settled(ready.stripe.confirmCardPayment(clientSecret, { ...ready.data, ...usage }), 'pay');
      },
      async confirmSetup(clientSecret, { billing }) {
        const ready = method(billing);
        if (!ready) return { error: cardTexts.notInitialized };
        return complete ? settled(ready.stripe.confirmCardSetup(clientSecret, ready.data), 'save') : missing();
      },
    };
  }, [stripe, elements, complete]);

  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        Card
      </label>
      <CardElement
        id={id}
        className={styles.element ?? ''}
        options={{ disabled, hidePostalCode: true, style: look }}
        onReady={() => onReady?.()}
        onChange={(state) => {
          setComplete(state.complete);
          setError(state.error?.message);
          onChange?.({ complete: state.complete, error: state.error?.message ?? null });
        }}
      />
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

// The field lies in a frame of the provider, which knows nothing of the page's colours.
function lookOfPage() {
  const page = getComputedStyle(document.documentElement);
  const color = (name: string) => page.getPropertyValue(name).trim();
  return {
    base: { fontSize: '16px', color: color('--ink'), iconColor: color('--muted'), '::placeholder': { color: color('--muted') } },
    invalid: { color: color('--danger'), iconColor: color('--danger') },
  };
}
