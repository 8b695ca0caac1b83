import { type BillingDetails, offeredMethods } from '@handwise/contract/payments/calls';
import type { Appearance, PaymentMethodCreateParams, Stripe, StripeElementsOptionsMode, StripeError } from '@stripe/stripe-js';
import { removeEmptyFields, type Collected, cardTexts, type Purpose, describeRejection } from './card-outcome-view.ts';

// Our server creates and confirms the intent: the form has only the amount, which wallets show, and no secret.
const getTerms = (purpose: Purpose): StripeElementsOptionsMode =>
  purpose.kind === 'pay'
    ? {
        mode: 'payment',
        amount: purpose.amount,
        currency: purpose.currency.toLowerCase(),
        setupFutureUsage: purpose.saveCard ? 'on_session' : null,
        allowedPaymentMethodTypes: [...offeredMethods.pay],
      }
    : { mode: 'setup', currency: 'nzd', setupFutureUsage: 'on_session', allowedPaymentMethodTypes: [...offeredMethods.save] };

const isSaved = (purpose: Purpose) => purpose.kind === 'save' || purpose.saveCard;

/** Our page asks for name and email, and for the address only if it is unfolded; else the form asks for what it needs. */
function getBilling({ name, email, line1, city, postalCode, country }: BillingDetails): PaymentMethodCreateParams.BillingDetails {
  const parts = removeEmptyFields({ line1, city, postal_code: postalCode });
  return { name, email, ...(Object.keys(parts).length > 0 && { address: { ...parts, country } }) };
}

export type StripeFormOptions = {
  purpose: Purpose;
  payer: { name: string; email: string };
  appearance: Appearance;
  onReady: () => void;
  /** Called if the form cannot be shown. */
  onProblem: () => void;
};

/** The provider's form: cards, wallets and others. Its content never reaches this page. */
export function openStripeForm(stripe: Pick<Stripe, 'elements' | 'createConfirmationToken'>, options: StripeFormOptions) {
  const { payer, appearance, onReady, onProblem } = options;
  let { purpose } = options;
  let changing = Promise.resolve();
  const elements = stripe.elements({ ...getTerms(purpose), appearance, locale: 'en-NZ' });
  const element = elements.create('payment', {
    defaultValues: { billingDetails: payer },
    fields: { billingDetails: { name: 'never', email: 'never', address: 'if_required' } },
    // Our page shows the terms of saving a card.
    terms: { card: 'never' },
  });
  element.on('ready', onReady);
  element.on('loaderror', onProblem);

  const rejected = (error: StripeError): Collected => ({
    error: error.message ? describeRejection(error, purpose.kind) : cardTexts.closed,
  });
  return {
    mount: (place: HTMLElement) => element.mount(place),
    destroy: () => element.destroy(),

    /** Updates the amount, or whether to save the card. */
    change(next: Purpose) {
      purpose = next;
      const { mode: _, ...terms } = getTerms(next);
      // It reports errors on submit.
      changing = elements.update(terms).catch(() => {});
    },

    /** Validates the fields, lets a wallet ask its owner, and returns what our server pays with. Never throws. */
    async collect(billing: BillingDetails): Promise<Collected> {
      try {
        await changing;
        const { error: wrong } = await elements.submit();
        if (wrong) return rejected(wrong);
        const { error, confirmationToken } = await stripe.createConfirmationToken({
          elements,
          params: {
            payment_method_data: { billing_details: getBilling(billing), ...(isSaved(purpose) && { allow_redisplay: 'always' }) },
          },
        });
        return error ? rejected(error) : { token: confirmationToken.id };
      } catch {
        return { error: cardTexts.unexpected };
      }
    },
  };
}
