import type { Stripe } from '@stripe/stripe-js';
// "pure" sends nothing to the provider before the first call.
import { loadStripe } from '@stripe/stripe-js/pure';
import { type CardOutcome, cardTexts, type Intent, getOutcome, type Rejection, describeRejection } from './card-outcome-view.ts';
import type { PaymentConfig } from '../payment-queries.ts';

/** The time after which a missing form is reported. */
const patienceMs = 20_000;

/** The provider's script, loaded once. Null if it is blocked or takes too long; the next call retries. */
export function openScript(load: (publishableKey: string) => Promise<Stripe | null>, patience = patienceMs) {
  let loading: Promise<Stripe | null> | undefined;
  return async ({ publishableKey }: Pick<PaymentConfig, 'publishableKey'>): Promise<Stripe | null> => {
    loading ??= load(publishableKey).catch(() => {
      loading = undefined;
      return null;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), patience);
    });
    try {
      return await Promise.race([loading, tooLong]);
    } finally {
      clearTimeout(timer);
    }
  };
}

export const openStripe = openScript(loadStripe);

type Answer = {
  error?: Rejection | undefined;
  paymentIntent?: Intent | undefined;
  setupIntent?: Intent | undefined;
};

/** The outcome of the provider's script. Never throws. */
export async function settled(answer: Promise<Answer>, purpose: 'pay' | 'save'): Promise<CardOutcome> {
  try {
    const { error, paymentIntent, setupIntent } = await answer;
    if (error) return { error: describeRejection(error, purpose) };
    const intent = paymentIntent ?? setupIntent;
    return intent ? getOutcome(intent) : { error: cardTexts.unexpected };
  } catch {
    return { error: cardTexts.unexpected };
  }
}
