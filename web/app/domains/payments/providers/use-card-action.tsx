import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { type CardOutcome, cardTexts } from './card-outcome-view.ts';
import { paymentConfig } from './payment-config.ts';
import { nextPage, ProviderError } from './sandbox-provider.ts';
import { useBankDialog } from './use-bank-dialog.tsx';

/** The bank has a page of its own: this one is left, and what was being paid goes on where that one leads back to. */
function leaveFor(address: string): Promise<never> {
  // Back from there by the browser's own button, the page may come as it was left: it must not wait for ever.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { once: true });
  location.assign(address);
  return new Promise(() => {});
}

/**
 * For calls that answer `requires_action`, where a card's bank wants to hear from the cardholder: lets them confirm,
 * then says how it ended. Never throws. Render `dialog` anywhere on the page. Needs `Queries` around it.
 */
export function useCardAction(purpose: 'pay' | 'save' = 'pay'): {
  authenticate(clientSecret: string): Promise<CardOutcome>;
  dialog: ReactNode;
} {
  const queries = useQueryClient();
  const bank = useBankDialog();
  async function authenticate(clientSecret: string): Promise<CardOutcome> {
    try {
      const config = await queries.fetchQuery(paymentConfig);
      if (config.mode === 'sandbox') {
        const page = await nextPage(config, clientSecret);
        return page ? await leaveFor(page) : await bank.authenticate(config, clientSecret);
      }
      const { settled, stripeOf } = await import('./stripe-script.ts');
      const stripe = await stripeOf(config);
      return stripe ? await settled(stripe.handleNextAction({ clientSecret }), purpose) : { error: cardTexts.notInitialized };
    } catch (error) {
      return { error: error instanceof ProviderError ? error.message : cardTexts.unexpected };
    }
  }
  return { authenticate, dialog: bank.dialog };
}
