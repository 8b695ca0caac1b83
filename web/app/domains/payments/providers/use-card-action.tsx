import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { type CardOutcome, cardTexts } from './card-outcome-view.ts';
import { paymentConfig } from './payment-config.ts';
import { ProviderError } from './sandbox-provider.ts';
import { useBankDialog } from './use-bank-dialog.tsx';

/**
 * For calls that answer `requires_action`, where a saved card's bank wants to hear from the cardholder: lets them confirm,
 * then says how it ended. Never throws. Render `dialog` anywhere on the page. Needs `Queries` around it.
 */
export function useCardAction(): { authenticate(clientSecret: string): Promise<CardOutcome>; dialog: ReactNode } {
  const queries = useQueryClient();
  const bank = useBankDialog();
  async function authenticate(clientSecret: string): Promise<CardOutcome> {
    try {
      const config = await queries.fetchQuery(paymentConfig);
      if (config.mode === 'sandbox') return await bank.authenticate(config, clientSecret);
      const { settled, stripeOf } = await import('./stripe-script.ts');
      const stripe = await stripeOf(config);
      return stripe ? await settled(stripe.handleNextAction({ clientSecret }), 'pay') : { error: cardTexts.notInitialized };
    } catch (error) {
      return { error: error instanceof ProviderError ? error.message : cardTexts.unexpected };
    }
  }
  return { authenticate, dialog: bank.dialog };
}
