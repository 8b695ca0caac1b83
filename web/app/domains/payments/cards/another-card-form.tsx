import { useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useCheckedForm } from '../../../lib/forms/checked-form.ts';
import { useRootData } from '../../../lib/root-data.ts';
import { useSession } from '../../../lib/session/session.ts';
import { ErrorSummary } from '../../../ui/forms/error-summary.tsx';
import { TextField } from '../../../ui/forms/form-field.tsx';
import { CardField } from '../providers/card-field.tsx';
import { type CardHandle, cardTexts } from '../providers/card-outcome-view.ts';
import styles from './add-card-form.module.css';
import { billingForm, noBilling, SaveCardBox } from './billing-fields.tsx';

/** What pays: collected by the provider's form, for one payment. */
export type CollectedCard = { confirmationToken: string; saveCard: boolean };

type AnotherCardFormProps = {
  /** A button of the page sends the form by this id. */
  id: string;
  amount: number;
  currency: 'NZD' | 'AUD';
  disabled: boolean;
  /** Instead of "Card information is required.", where one could choose another way to pay. */
  emptyText: string;
  onCollected: (card: CollectedCard) => void;
  /** Whether the card is just being collected. */
  onBusy?: ((busy: boolean) => void) | undefined;
};

/** Another card than the saved ones, to pay with once. It is kept where its holder wants that. */
export function AnotherCardForm({ id, amount, currency, disabled, emptyText, onCollected, onBusy }: AnotherCardFormProps) {
  const { user } = useSession();
  const { market } = useRootData();
  const card = useRef<CardHandle>(null);
  const [saveCard, setSaveCard] = useState(false);
  const { form, field, summary, busy } = useCheckedForm({
    name: 'another-card',
    schema: billingForm,
    start: { ...noBilling, name: user?.fullName ?? '', email: user?.email ?? '', country: market ?? noBilling.country },
    send: async (billing) => {
      onBusy?.(true);
      try {
        const collected = (await card.current?.collect(billing)) ?? { error: cardTexts.notInitialized };
        if ('error' in collected) {
          throw new ApiError(402, 'card_declined', collected.error === cardTexts.required ? emptyText : collected.error);
        }
        onCollected({ confirmationToken: collected.token, saveCard });
      } finally {
        onBusy?.(false);
      }
    },
  });
  return (
    <form {...form} id={id} className={styles.form}>
      <ErrorSummary {...summary} />
      <CardField ref={card} purpose={{ kind: 'pay', amount, currency, saveCard }} disabled={busy || disabled} />
      <TextField label="Name on card" autoComplete="cc-name" {...field('name')} />
      <SaveCardBox checked={saveCard} disabled={busy || disabled} onChange={setSaveCard} />
    </form>
  );
}
