import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useCardAction } from '../payments/providers/use-card-action.tsx';
import { ReferralEntry } from '../referrals/referral-entry.tsx';
import { CardPayment } from './card-payment.tsx';
import { Announce, CheckoutWaiting } from './checkout-progress.tsx';
import { CheckoutSummary } from './checkout-summary.tsx';
import styles from './checkout.module.css';
import { FreeMonthAddress, FreeMonthCardWords, type NeededCard } from './free-month-needs.tsx';
import { CoverNote } from './plan-step.tsx';
import { type Purchase, useCheckout } from './use-checkout.ts';
import type { Plan } from '@handwise/contract/plans/calls';
import { AddCardForm } from '../payments/cards/add-card-form.tsx';

type CheckoutProps = Omit<Parameters<typeof useCheckout>[0], 'authenticate'> & {
  purchase: Purchase;
  /** Why the listing was not created, after everything was paid. */
  failure: string | null;
  onChangePlan: () => void;
  /** The buttons at the end of the step: gets what leads on, and whether one must stay. */
  actions: (next: ReactNode, busy: boolean) => ReactNode;
  /** What is bought, in the seller's own words. */
  children: ReactNode;
};

/** Step 4: what is paid and how. Once nothing is left to pay it only leads on to the listing. */
export function Checkout({ failure, onChangePlan, actions, children, ...options }: CheckoutProps) {
  const { purchase } = options;
  const { authenticate, dialog } = useCardAction();
  const checkout = useCheckout({ ...options, authenticate });
  const { path, phase } = checkout;
  const busy = phase !== null;

  return (
    <div className={styles.checkout}>
      {failure && !busy && <ErrorSummary message={failure} attempt={1} />}
      {path === 'paid' && (
        <Notice kind="success">
          <strong>Your {purchase.plan.name} plan is paid.</strong> All that’s left is to create the listing, and you will not be charged
          again.
        </Notice>
      )}
      {checkout.notice && <Notice>{checkout.notice}</Notice>}
      {path === 'covered' && purchase.cover && <CoverNote cover={purchase.cover} />}

      <CheckoutSummary
        purchase={purchase}
        total={checkout.total}
        path={path}
        freeBy={checkout.freeBy}
        onChangePlan={busy ? undefined : onChangePlan}
      >
        {children}
      </CheckoutSummary>

      {(path === 'card' || (path === 'free' && checkout.freeBy !== 'free_month')) && !checkout.mustWait && (
        <ReferralEntry
          applied={purchase.freeFirstMonth || purchase.referralCode !== ''}
          code={purchase.referralCode}
          disabled={busy}
          onApply={checkout.applyReferral}
        />
      )}

      {checkout.mustWait ? (
        <>
          <CheckoutWaiting checkout={checkout} />
          {actions(null, busy)}
        </>
      ) : path === 'card' ? (
        <CardPayment purchase={purchase} checkout={checkout} actions={actions} />
      ) : checkout.needs === 'saved_card' || checkout.needs === 'other_card' ? (
        <FreeMonthCard needs={checkout.needs} plan={purchase.plan} checkout={checkout} actions={actions} />
      ) : (
        <>
          {checkout.needs === 'confirmed_address' && <FreeMonthAddress email={purchase.user.email} />}
          <Announce phase={phase} />
          {actions(
            <Button busy={busy} size="lg" onClick={() => void checkout.finish()}>
              {phase ?? (path === 'free' ? 'Create Listing (Free)' : 'Create Listing')}
            </Button>,
            // Nothing is under way but the waiting: one may go back.
            busy && !checkout.awaitsAddress,
          )}
        </>
      )}
      {dialog}
    </div>
  );
}

type FreeMonthCardProps = {
  needs: NeededCard;
  plan: Plan;
  checkout: ReturnType<typeof useCheckout>;
  actions: (next: ReactNode, busy: boolean) => ReactNode;
};

/** A card for a free month on the larger plans. Once it is saved, the listing is created. */
function FreeMonthCard({ needs, plan, checkout, actions }: FreeMonthCardProps) {
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
