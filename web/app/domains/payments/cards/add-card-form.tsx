import type { BillingDetails, Card } from '@handwise/contract/payments/calls';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { useRootData } from '../../../lib/root-data.ts';
import { useSession } from '../../../lib/session/session.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextField } from '../../../ui/forms/form-field.tsx';
import styles from './add-card-form.module.css';
import { BillingFields, billingForm, noBilling } from './billing-fields.tsx';
import { CardField } from '../providers/card-field.tsx';
import { type CardHandle, cardTexts, getOutcomeProblem } from '../providers/card-outcome-view.ts';
import { useCardAction } from '../providers/use-card-action.tsx';
import { savedCards } from '../payment-queries.ts';

type AddCardFormProps = {
  onAdded: (card: Card) => void;
  onCancel?: (() => void) | undefined;
  /** For a card within another step: asks for the name only, and the page's button submits the form by this id. */
  passingId?: string | undefined;
  /** Called when saving the card starts and ends. */
  onBusy?: ((busy: boolean) => void) | undefined;
};

type Begun = { setupIntentId: string; isConfirmed: boolean };

/** Saves a card: the provider stores it, and we store what its owner recognises it by. */
export function AddCardForm({ onAdded, onCancel, passingId, onBusy }: AddCardFormProps) {
  const { user } = useSession();
  const { market } = useRootData();
  const queries = useQueryClient();
  const card = useRef<CardHandle>(null);
  const { authenticate, dialog } = useCardAction('save');
  // A retry continues the attempt, so that an accepted card is not sent twice.
  const begun = useRef<Begun>(null);

  const { form, field, summary, busy } = useCheckedForm({
    name: 'add-card',
    schema: billingForm,
    start: { ...noBilling, name: user?.fullName ?? '', email: user?.email ?? '', country: market ?? noBilling.country },
    send: async (billing) => {
      onBusy?.(true);
      try {
        await save(billing);
      } finally {
        onBusy?.(false);
      }
    },
  });
  /** Returns the error text, or null if the card was set up. */
  async function confirm(setupIntentId: string, billing: BillingDetails): Promise<string | null> {
    const collected = (await card.current?.collect(billing)) ?? { error: cardTexts.notInitialized };
    if ('error' in collected) return collected.error;
    try {
      const { status, clientSecret } = await call('POST /credit/confirm-setup', {
        body: { setupIntentId, confirmationToken: collected.token },
      });
      return status === 'requires_action' && clientSecret ? getOutcomeProblem(await authenticate(clientSecret)) : null;
    } catch (error) {
      // The set-up has ended, so the next attempt starts a new one.
      if (error instanceof ApiError && error.code === 'payment_incomplete') begun.current = null;
      throw error;
    }
  }
  async function save(billing: BillingDetails) {
    const intent = (begun.current ??= { ...(await call('POST /credit/setup-intent', {})), isConfirmed: false });
    const { setupIntentId } = intent;
    if (!intent.isConfirmed) {
      const problem = await confirm(setupIntentId, billing);
      // Shown like a rejection by our server.
      if (problem !== null) throw new ApiError(402, 'card_declined', problem);
      intent.isConfirmed = true;
    }
    const added = await call('POST /credit', { body: { setupIntentId } });
    begun.current = null;
    queries.setQueryData(savedCards.queryKey, (cards) => cards && [added, ...cards.filter((one) => one._id !== added._id)]);
    onAdded(added);
  }
  return (
    <form {...form} id={passingId} className={styles.form}>
      <ErrorSummary {...summary} />
      <CardField ref={card} purpose={{ kind: 'save' }} disabled={busy} />
      {passingId ? <TextField label="Name on card" autoComplete="cc-name" {...field('name')} /> : <BillingFields field={field} />}
      <p className="muted">Your card is stored by our payment provider. We keep its brand, last four digits, expiry and name.</p>
      {!passingId && (
        <div className={styles.actions}>
          <Button type="submit" busy={busy}>
            {busy ? 'Saving card...' : 'Save card'}
          </Button>
          {onCancel && (
            <Button kind="quiet" onClick={onCancel} disabled={busy}>
              Cancel
            </Button>
          )}
        </div>
      )}
      {dialog}
    </form>
  );
}
