import type { Stripe } from '@stripe/stripe-js';
// "pure": nothing is asked of the provider before the first call.
import { loadStripe } from '@stripe/stripe-js/pure';
import { type CardOutcome, cardTexts, type Intent, outcomeOf, type Refusal, refusalText } from './card-outcome-view.ts';
import type { PaymentConfig } from './payment-config.ts';

let loading: Promise<Stripe | null> | undefined;

/** The provider's script, asked for once. Null where it does not come; the next call tries again. */
export function stripeOf({ publishableKey }: PaymentConfig): Promise<Stripe | null> {
  loading ??= loadStripe(publishableKey).catch(() => {
    loading = undefined;
    return null;
  });
  return loading;
}

type Answer = {
  error?: Refusal | undefined;
  paymentIntent?: Intent | undefined;
  setupIntent?: Intent | undefined;
};

/** What the provider's script answers, as an outcome. Never throws. */
export async function settled(answer: Promise<Answer>, purpose: 'pay' | 'save'): Promise<CardOutcome> {
  try {
    const { error, paymentIntent, setupIntent } = await answer;
    if (error) return { error: refusalText(error, purpose) };
    const intent = paymentIntent ?? setupIntent;
    return intent ? outcomeOf(intent) : { error: cardTexts.unexpected };
  } catch {
    return { error: cardTexts.unexpected };
  }
}
