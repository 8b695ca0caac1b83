import { useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { outcomeOf } from './card-outcome-view.ts';
import type { CardOutcome } from './card-outcome-view.ts';
import type { PaymentConfig } from './payment-config.ts';
import { answerBank } from './sandbox-provider.ts';

type Answer = 'success' | 'fail';

/** The page of a make-believe bank, in the sandbox: the real one is the provider's own. Closing it is a "no", as there. */
export function useBankDialog() {
  const [decide, setDecide] = useState<((answer: Answer) => void) | null>(null);

  /** Throws what `answerBank` throws. */
  async function authenticate(config: PaymentConfig, clientSecret: string): Promise<CardOutcome> {
    const answer = await new Promise<Answer>((resolve) => setDecide(() => resolve));
    setDecide(null);
    return outcomeOf(await answerBank(config, clientSecret, answer));
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
