import type { Plan } from '@handwise/contract/plans/calls';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { AddCardForm } from '../payments/cards/add-card-form.tsx';
import { Announce } from './checkout-progress.tsx';
import styles from './checkout.module.css';
import { FreeMonthCardWords, type NeededCard } from './free-month-needs.tsx';
import type { useCheckout } from './use-checkout.ts';

type FreeMonthCardProps = {
  needs: NeededCard;
  plan: Plan;
  checkout: ReturnType<typeof useCheckout>;
  actions: (next: ReactNode, busy: boolean) => ReactNode;
};

/** A card for a free month on the larger plans. Once it is saved, the listing is created. */
export function FreeMonthCard({ needs, plan, checkout, actions }: FreeMonthCardProps) {
  const formId = useId();
  const [isSaving, setSaving] = useState(false);
  const busy = isSaving || checkout.phase !== null;
  return (
    <div className={styles.form}>
      <h2 className={styles.heading}>A card for your free month</h2>
      <FreeMonthCardWords needs={needs} plan={plan} />
      <AddCardForm passingId={formId} onAdded={() => void checkout.finishWithCard()} onBusy={setSaving} />
      <Announce phase={checkout.phase} />
      {actions(
        <Button type="submit" form={formId} size="lg" busy={busy}>
          {checkout.phase ?? (isSaving ? 'Saving card...' : 'Save card and create listing')}
        </Button>,
        busy,
      )}
    </div>
  );
}
