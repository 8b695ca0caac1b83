import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type CardOutcome, cardTexts, getOutcome } from './card-outcome-view.ts';
import { paymentConfig, type PaymentConfig } from '../payment-queries.ts';
import { nextPage, ProviderError, answerBank } from './sandbox-provider.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';

type Answer = 'success' | 'fail';

/** The sandbox's stand-in for the bank's page. Closing it rejects the payment, as at a real bank. */
function useBankDialog() {
  const [decide, setDecide] = useState<((answer: Answer) => void) | null>(null);

  /** Throws what `answerBank` throws. */
  async function authenticate(config: PaymentConfig, clientSecret: string): Promise<CardOutcome> {
    const answer = await new Promise<Answer>((resolve) => setDecide(() => resolve));
    setDecide(null);
    return getOutcome(await answerBank(config, clientSecret, answer));
  }

  const dialog = (
    <Dialog
      open={decide !== null}
      onClose={() => decide?.('fail')}
      title="Your bank asks you to confirm"
      actions={
        <>
          <Button kind="secondary" onClick={() => decide?.('fail')}>
            Fail authentication
          </Button>
          <Button onClick={() => decide?.('success')}>Complete authentication</Button>
        </>
      }
    >
      <p>3-D Secure test page. With a real card, your bank would now ask for a code or send you to its app.</p>
    </Dialog>
  );
  return { authenticate, dialog };
}

/** The bank's own page replaces this one, and its return page continues the payment. */
function leaveFor(address: string): Promise<never> {
  // The browser's back button may restore this page from its cache, so it reloads instead of waiting forever.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload(), { once: true });
  location.assign(address);
  return new Promise(() => {});
}

/**
 * For calls that return `requires_action` because the bank challenges the cardholder: runs the challenge and returns its outcome. Never
 * throws. Render `dialog` anywhere on the page. Needs `Queries` around it.
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
      const { settled, openStripe } = await import('./stripe-script.ts');
      const stripe = await openStripe(config);
      return stripe ? await settled(stripe.handleNextAction({ clientSecret }), purpose) : { error: cardTexts.notInitialized };
    } catch (error) {
      return { error: error instanceof ProviderError ? error.message : cardTexts.unexpected };
    }
  }
  return { authenticate, dialog: bank.dialog };
}
