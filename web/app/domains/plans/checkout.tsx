import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useCardAction } from '../payments/providers/use-card-action.tsx';
import { HeldWords } from '../referrals/held-words.tsx';
import { ReferralEntry } from '../referrals/referral-entry.tsx';
import styles from './checkout.module.css';
import { FreeMonthAddress, FreeMonthCardWords, type NeededCard } from './free-month-needs.tsx';
import { CoverNote } from './plan-step.tsx';
import { type Purchase, useCheckout } from './use-checkout.ts';
import type { Plan, FreeMonth, HeldReferral } from '@handwise/contract/plans/calls';
import { AddCardForm } from '../payments/cards/add-card-form.tsx';
import { money, gstWithin } from '@handwise/contract/money';
import type { BillingDetails } from '@handwise/contract/payments/calls';
import { ApiError } from '../../lib/api-error.ts';
import { getCurrency } from '../../lib/format.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { BillingFields, billingForm, noBilling, SaveCardBox } from '../payments/cards/billing-fields.tsx';
import { CardField } from '../payments/providers/card-field.tsx';
import { type CardHandle, cardTexts } from '../payments/providers/card-outcome-view.ts';
import { bankText } from './plan-words.ts';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { counted } from '@handwise/contract/numbers';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import type { Path } from './checkout-states.ts';

type CheckoutProps = Omit<Parameters<typeof useCheckout>[0], 'authenticate'> & {
  purchase: Purchase;
  /** Why the listing was not created, after everything was paid. */
  failure: string | null;
  onChangePlan: () => void;
  /** Renders the buttons at the end of the step; `busy` blocks leaving it. */
  actions: (next: ReactNode, busy: boolean) => ReactNode;
  /** The purchase, in the seller's words. */
  children: ReactNode;
};

/** Step 4: the payment. If nothing is due, it only leads on to the listing. */
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

      {(path === 'card' || (path === 'free' && checkout.freeBy !== 'free_month')) &&
        !checkout.mustWait &&
        (checkout.heldReferral ? (
          <HeldCode held={checkout.heldReferral} total={checkout.total} country={purchase.country} />
        ) : (
          <ReferralEntry
            applied={purchase.freeFirstMonth || purchase.referralCode !== ''}
            code={purchase.referralCode}
            isFree={checkout.total === null ? null : checkout.total === 0}
            disabled={busy}
            onApply={checkout.applyReferral}
          />
        ))}

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
          {checkout.needs === 'confirmed_address' && <FreeMonthAddress email={purchase.user.email} plan={purchase.plan} />}
          <Announce phase={phase} />
          {actions(
            <Button busy={busy} size="lg" onClick={() => void checkout.finish()}>
              {phase ?? (path === 'free' ? 'Create Listing (Free)' : 'Create Listing')}
            </Button>,
            // It is only waiting, so going back is possible.
            busy && !checkout.awaitsAddress,
          )}
        </>
      )}
      {dialog}
    </div>
  );
}

type HeldCodeProps = { held: HeldReferral; total: number | null; country: CountryCode };

/** A code that does not make the plan free yet: why, until when, and what is charged meanwhile. */
const HeldCode = ({ held, total, country }: HeldCodeProps) => (
  <div role="status">
    <Notice>
      <strong>Your referral code is being checked, so this plan is not free yet.</strong> <HeldWords held={held} payer="you" />
      {total !== null &&
        ` If you pay now, ${dollars(total, country)} is charged. Once the code counts, you get a free month for your next plan instead.`}
    </Notice>
  </div>
);

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

type CardPaymentProps = {
  purchase: Purchase;
  checkout: ReturnType<typeof useCheckout>;
  actions: (next: ReactNode, busy: boolean) => ReactNode;
};

/** A new card, its holder and the pay button. */
function CardPayment({ purchase: { user, country, plan }, checkout, actions }: CardPaymentProps) {
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
      {/* Beside the card, which most errors are about. */}
      <ErrorSummary {...form.summary} />
      {/* The price is known before the payment is created. */}
      <CardField
        ref={setHandle}
        purpose={{ kind: 'pay', amount: total ?? plan.priceMinor, currency: getCurrency(country), saveCard }}
        disabled={checkout.cardIsSent}
      />
      <BillingFields field={form.field} />
      <SaveCardBox checked={saveCard} disabled={busy} onChange={setSaveCard} />
      <Announce phase={phase} />
      {checkout.bankWaits && <Notice>{bankText}</Notice>}
      {actions(
        <Button type="submit" size="lg" busy={busy || form.busy}>
          {phase ?? (total === null ? 'Pay Now' : `Pay Now · ${money(total, getCurrency(country))}`)}
        </Button>,
        busy,
      )}
    </form>
  );
}

/** Announces the progress that the button shows. */
const Announce = ({ phase }: { phase: string | null }) => (
  <p className="visually-hidden" role="status">
    {phase}
  </p>
);

/** Shown while the amount or the outcome is unknown, so that no second payment can start. */
function CheckoutWaiting({ checkout }: { checkout: ReturnType<typeof useCheckout> }) {
  const { phase, bankWaits, trouble, retry } = checkout;
  if (trouble) {
    return (
      <div className={styles.waiting}>
        <ErrorSummary message={trouble} attempt={1} />
        <Button onClick={retry}>Try Again</Button>
      </div>
    );
  }
  return (
    <div className={styles.waiting} role="status">
      <span className="spinner" aria-hidden="true" />
      <div>
        <p>
          <strong>{phase}</strong>
        </p>
        {bankWaits && <p className="muted">{bankText}</p>}
      </div>
    </div>
  );
}

const dollars = (minor: number, country: CountryCode) => money(minor, getCurrency(country));

const freeMonthNames: Record<FreeMonth['source'], string> = {
  free_first_month: 'Free first month, by a referral code',
  free_month: 'Free month, from your referrals',
};

type SummaryProps = {
  purchase: Purchase;
  /** In cents; null until loaded. */
  total: number | null;
  path: Path;
  freeBy: FreeMonth['source'] | null;
  onChangePlan: (() => void) | undefined;
  children: ReactNode;
};

/** The purchase, its price and its tax. */
function CheckoutSummary({ purchase: { plan, country }, total, path, freeBy, onChangePlan, children }: SummaryProps) {
  const { priceMinor: price } = plan;
  const { gstPercent } = markets[country];
  return (
    <section className={`card ${styles.summary}`} aria-labelledby="summary-heading">
      <h2 id="summary-heading" className={styles.heading}>
        Summary
      </h2>
      {children}
      <dl className={styles.lines}>
        <div>
          <dt>
            {plan.name} plan, {subscriptionDays} days
            <span className={styles.small}>
              {counted(plan.slots, 'listing')}, up to {plan.photos} photos each
            </span>
          </dt>
          <dd>{path === 'covered' ? 'Covered' : dollars(price, country)}</dd>
        </div>
        {path === 'free' && (
          <div>
            <dt>{freeBy ? freeMonthNames[freeBy] : 'Free month'}</dt>
            <dd>−{dollars(price, country)}</dd>
          </div>
        )}
        <div className={styles.total}>
          <dt>{path === 'paid' ? 'Paid' : 'Total'}</dt>
          <dd>{total === null ? <Skeleton width={110} height={24} /> : dollars(total, country)}</dd>
        </div>
      </dl>
      <p className={styles.small}>
        {total !== null && total > 0
          ? `Includes ${dollars(gstWithin(total, country), country)} GST (${gstPercent} %). Nothing is charged again after ${subscriptionDays} days unless you ask for it.`
          : 'There is nothing to pay.'}
      </p>
      {path !== 'covered' && path !== 'paid' && onChangePlan && (
        <div className={styles.change}>
          <Button kind="quiet" size="sm" onClick={onChangePlan}>
            Change plan
          </Button>
        </div>
      )}
    </section>
  );
}
