import { useState } from 'react';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/forms/button.tsx';

type State = 'idle' | 'sending' | 'sent' | 'failed';

/** Resends the user's confirmation link, which leads back to the conversation if there is one. */
export function ResendConfirmation({ conversationId }: { conversationId?: string | undefined }) {
  const [state, setState] = useState<State>('idle');
  async function send() {
    setState('sending');
    try {
      await call('POST /auth/verify-email/resend', { query: { conversation: conversationId } });
      setState('sent');
    } catch {
      setState('failed');
    }
  }
  return (
    <div>
      <Button kind="secondary" size="sm" busy={state === 'sending'} onClick={() => void send()}>
        Send the link again
      </Button>
      <p role="status">
        {state === 'sent' && 'It is on its way. Open it on any device, then come back here.'}
        {state === 'failed' && 'The link could not be sent. Please try again in a moment.'}
      </p>
    </div>
  );
}
