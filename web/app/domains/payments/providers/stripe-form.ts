import { type BillingDetails, offeredMethods } from '@handwise/contract/payments/calls';
import type { Appearance, PaymentMethodCreateParams, Stripe, StripeElementsOptionsMode, StripeError } from '@stripe/stripe-js';
import { filled, type Collected, cardTexts, type Purpose, rejectionText } from './card-outcome-view.ts';

// The intent is begun and confirmed by our server: the form knows the amount alone, which wallets show, and no secret.
const termsOf = (purpose: Purpose): StripeElementsOptionsMode =>
  purpose.kind === 'pay'
    ? {
        mode: 'payment',
        amount: purpose.amount,
        currency: purpose.currency.toLowerCase(),
        setupFutureUsage: purpose.saveCard ? 'on_session' : null,
        allowedPaymentMethodTypes: [...offeredMethods.pay],
      }
    : { mode: 'setup', currency: 'nzd', setupFutureUsage: 'on_session', allowedPaymentMethodTypes: [...offeredMethods.save] };

const isKept = (purpose: Purpose) => purpose.kind === 'save' || purpose.saveCard;

/** Name and address for mail are asked for on our page, the address only where somebody unfolded and filled it; else the form asks for what it needs. */
function billingOf({ name, email, line1, city, postalCode, country }: BillingDetails): PaymentMethodCreateParams.BillingDetails {
  const parts = filled({ line1, city, postal_code: postalCode });
  return { name, email, ...(Object.keys(parts).length > 0 && { address: { ...parts, country } }) };
}

export type StripeFormOptions = {
  purpose: Purpose;
  payer: { name: string; email: string };
  appearance: Appearance;
  onReady: () => void;
  /** It could not be shown. */
  onProblem: () => void;
};

/** The provider's own form: cards, wallets and whatever else is offered. What is typed into it never reaches this page. */
export function openStripeForm(stripe: Pick<Stripe, 'elements' | 'createConfirmationToken'>, options: StripeFormOptions) {
  const { payer, appearance, onReady, onProblem } = options;
  let { purpose } = options;
  let changing = Promise.resolve();
  const elements = stripe.elements({ ...termsOf(purpose), appearance, locale: 'en-NZ' });
  const element = elements.create('payment', {
    defaultValues: { billingDetails: payer },
    fields: { billingDetails: { name: 'never', email: 'never', address: 'if_required' } },
    // What is agreed to by saving a card stands on our page.
    terms: { card: 'never' },
  });
  element.on('ready', onReady);
  element.on('loaderror', onProblem);

  const rejected = (error: StripeError): Collected => ({
    error: error.message ? rejectionText(error, purpose.kind) : cardTexts.closed,
  });
  return {
    mount: (place: HTMLElement) => element.mount(place),
    destroy: () => element.destroy(),

    /** Another amount, or another wish about keeping the card. */
    change(next: Purpose) {
      purpose = next;
      const { mode: _, ...terms } = termsOf(next);
      // What it cannot take it says when the form is sent.
      changing = elements.update(terms).catch(() => {});
    },

    /** Checks what was typed, lets a wallet ask its owner, and gives what our server pays with. Never throws. */
    async collect(billing: BillingDetails): Promise<Collected> {
      try {
        await changing;
        const { error: wrong } = await elements.submit();
        if (wrong) return rejected(wrong);
        const { error, confirmationToken } = await stripe.createConfirmationToken({
          elements,
          params: {
            payment_method_data: { billing_details: billingOf(billing), ...(isKept(purpose) && { allow_redisplay: 'always' }) },
          },
        });
        return error ? rejected(error) : { token: confirmationToken.id };
      } catch {
        return { error: cardTexts.unexpected };
      }
    },
  };
}
