import { money } from '@handwise/contract/money';
import type { BillingDetails } from '@handwise/contract/payments/calls';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { currencyOf } from '../../lib/format.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { BillingFields, billingForm, noBilling } from '../payments/cards/billing-fields.tsx';
import { SaveCardBox } from '../payments/cards/save-card-box.tsx';
import { CardField } from '../payments/providers/card-field.tsx';
import { type CardHandle, cardTexts } from '../payments/providers/card-outcome-view.ts';
import { Announce } from './checkout-progress.tsx';
import { bankText } from './checkout-words.ts';
import styles from './checkout.module.css';
import type { Purchase, useCheckout } from './use-checkout.ts';

type CardPaymentProps = {
  purchase: Purchase;
  checkout: ReturnType<typeof useCheckout>;
  actions: (next: ReactNode, busy: boolean) => ReactNode;
};

/** A new card, whose it is, and the button that pays with it. */
export function CardPayment({ purchase: { user, country, plan }, checkout, actions }: CardPaymentProps) {
  const { phase, total } = checkout;
  const [handle, setHandle] = useState<CardHandle | null>(null);
  const [saveCard, setSaveCard] = useState(false);
  const busy = phase !== null;
  const form = useCheckedForm<BillingDetails>({
    name: 'payment',
    schema: billingForm,
    start: { ...noBilling, name: user.name, email: user.email },
    send: async (billing) => {
      const problem = await checkout.pay(async () => (handle ? handle.collect(billing) : { error: cardTexts.notInitialized }), saveCard);
      if (problem !== null) throw new ApiError(402, 'card_declined', problem);
    },
  });
  return (
    <form {...form.form} className={styles.form}>
      <h2 className={styles.heading}>Payment details</h2>
      {/* Beside the card, which it is mostly about. */}
      <ErrorSummary {...form.summary} />
      {/* It knows the price before the payment is begun. */}
      <CardField
        ref={setHandle}
        purpose={{ kind: 'pay', amount: total ?? plan.priceMinor, currency: currencyOf(country), saveCard }}
        disabled={checkout.cardIsSent}
      />
      <BillingFields field={form.field} />
      <SaveCardBox checked={saveCard} disabled={busy} onChange={setSaveCard} />
      <Announce phase={phase} />
      {checkout.bankWaits && <Notice>{bankText}</Notice>}
      {actions(
        <Button type="submit" size="lg" busy={busy || form.busy}>
          {phase ?? (total === null ? 'Pay Now' : `Pay Now · ${money(total, currencyOf(country))}`)}
        </Button>,
        busy,
      )}
    </form>
  );
}
