import { type BillingDetails, billingDetails } from '@handwise/contract/payments';
import type { CountryCode } from '@handwise/contract/markets';
import { markets } from '@handwise/contract/markets';
import type { Plan, Subscription } from '@handwise/contract/plans';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { useCheckedForm } from '../../lib/checked-form.ts';
import { amount, counted, currencyOf } from '../../lib/format.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import styles from './checkout.module.css';
import { CoverNote } from './plan-step.tsx';
import { ReferralEntry } from '../referrals/referral-entry.tsx';
import { type CheckoutPayment, useCheckout } from './use-checkout.ts';

/** What the card's own form, of another domain, does for this one. */
type CardHandle = {
  confirmPayment(
    clientSecret: string,
    options: { billing: BillingDetails; saveCard: boolean },
  ): Promise<{ status: 'succeeded' | 'processing' | 'canceled' | 'requires_payment_method'; id: string } | { error: string }>;
};

type BillingField = ReturnType<typeof useCheckedForm<BillingDetails>>['field'];

type CheckoutProps = {
  user: { id: string; name: string; email: string };
  plan: Plan;
  country: CountryCode;
  /** The subscription that covers the listing: nothing is to be paid. */
  cover: Subscription | undefined;
  /** What was paid, or may have been, before. */
  payment: CheckoutPayment | null;
  onPayment: (payment: CheckoutPayment | null) => void;
  /** Whether a referral code made the first month free, as the server has it. */
  freeFirstMonth: boolean;
  referralCode: string;
  onReferralCode: (code: string) => void;
  /** Why the listing was not created, after everything was paid. */
  failure: string | null;
  /** Everything that has to be paid is. Leads to the listing. */
  onReady: (paymentId: string | null) => void;
  onChangePlan: () => void;
  billing: (field: BillingField) => ReactNode;
  card: (props: { ref: (handle: CardHandle | null) => void; disabled: boolean }) => ReactNode;
  /** What is bought, in the seller's own words. */
  listing: ReactNode;
  /** The buttons at the end of the step: gets what leads on, and whether one may leave now. */
  actions: (next: ReactNode, busy: boolean) => ReactNode;
};

const billingForm = billingDetails.required();

/** Step 4: what is paid and how. Once nothing is left to pay it only leads on to the listing. */
export function Checkout(props: CheckoutProps) {
  const { plan, country, cover, failure, freeFirstMonth, actions } = props;
  const checkout = useCheckout(props);
  const { path, phase, total, trouble } = checkout;
  const busy = phase !== null;

  return (
    <div className={styles.checkout}>
      {failure && !busy && <ErrorSummary message={failure} attempt={1} />}
      {path === 'paid' && (
        <Notice kind="success">
          <strong>Your {plan.name} plan is paid.</strong> Only the listing is left to create, and you will not be charged again.
        </Notice>
      )}
      {checkout.notice && <Notice>{checkout.notice}</Notice>}
      {path === 'covered' && cover && <CoverNote cover={cover} />}

      <Summary
        plan={plan}
        country={country}
        total={total}
        path={path}
        listing={props.listing}
        onChangePlan={busy ? undefined : props.onChangePlan}
      />

      {(path === 'card' || path === 'free') && !checkout.mustWait && (
        <ReferralEntry
          applied={freeFirstMonth || props.referralCode !== ''}
          code={props.referralCode}
          disabled={busy}
          onApply={checkout.applyReferral}
        />
      )}

      {checkout.mustWait ? (
        <>
          <Waiting phase={phase} bankWaits={checkout.bankWaits} trouble={trouble} onRetry={checkout.retry} />
          {actions(null, busy)}
        </>
      ) : path === 'card' ? (
        <CardPayment {...props} checkout={checkout} />
      ) : (
        <>
          <Announce phase={phase} />
          {actions(
            <Button busy={busy} size="lg" onClick={() => void checkout.finish()}>
              {phase ?? (path === 'free' ? 'Create Listing (Free)' : 'Create Listing')}
            </Button>,
            busy,
          )}
        </>
      )}
    </div>
  );
}

const bankText =
  'Your bank is still deciding. Nothing is lost and nothing is charged twice: we ask again every few seconds, and you may also come back later.';

const dollars = (minor: number, country: CountryCode) => `$${amount(minor / 100)} ${currencyOf(country)}`;

type SummaryProps = {
  plan: Plan;
  country: CountryCode;
  /** In cents, null until the server has said. */
  total: number | null;
  path: 'card' | 'free' | 'covered' | 'paid';
  listing: ReactNode;
  onChangePlan: (() => void) | undefined;
};

function Summary({ plan, country, total, path, listing, onChangePlan }: SummaryProps) {
  const price = Math.round(plan.planPrice * 100);
  const { gstPercent } = markets[country];
  const gst = total === null ? 0 : Math.round((total * gstPercent) / (100 + gstPercent));
  return (
    <section className={`card ${styles.summary}`} aria-labelledby="summary-heading">
      <h2 id="summary-heading" className={styles.heading}>
        Summary
      </h2>
      {listing}
      <dl className={styles.lines}>
        <div>
          <dt>
            {plan.name} plan, 30 days
            <span className={styles.small}>
              {counted(plan.slots, 'listing')}, up to {plan.photos} photos each
            </span>
          </dt>
          <dd>{path === 'covered' ? 'Covered' : dollars(price, country)}</dd>
        </div>
        {path === 'free' && (
          <div>
            <dt>Free month</dt>
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
          ? `Includes ${dollars(gst, country)} GST (${gstPercent} %). Nothing is charged again after 30 days unless you ask for it.`
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

/** Reads out what is going on; the button shows it. */
const Announce = ({ phase }: { phase: string | null }) => (
  <p className="visually-hidden" role="status">
    {phase}
  </p>
);

type WaitingProps = { phase: string | null; bankWaits: boolean; trouble: string | null; onRetry: () => void };

/** While it is not known what is to be paid, or whether it was: no second payment can begin here. */
function Waiting({ phase, bankWaits, trouble, onRetry }: WaitingProps) {
  if (trouble) {
    return (
      <div className={styles.waiting}>
        <ErrorSummary message={trouble} attempt={1} />
        <Button onClick={onRetry}>Try Again</Button>
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

function CardPayment(props: CheckoutProps & { checkout: ReturnType<typeof useCheckout> }) {
  const { user, checkout, billing, card, actions } = props;
  const { phase } = checkout;
  const [handle, setHandle] = useState<CardHandle | null>(null);
  const [saveCard, setSaveCard] = useState(false);
  const busy = phase !== null;
  const form = useCheckedForm<BillingDetails>({
    name: 'payment',
    schema: billingForm,
    start: { name: user.name, email: user.email, line1: '', city: '', postalCode: '', country: 'NZ' },
    send: async (values) => {
      const problem = await checkout.pay(async (clientSecret) => {
        if (!handle) return { error: 'Payment system is not initialized. Please try again or contact support.' };
        return handle.confirmPayment(clientSecret, { billing: values, saveCard });
      });
      if (problem) throw new ApiError(402, 'card_declined', problem);
    },
  });
  return (
    <form {...form.form} className={styles.form}>
      <ErrorSummary {...form.summary} />
      <h2 className={styles.heading}>Payment details</h2>
      {billing(form.field)}
      {card({
        ref: setHandle,
        disabled: phase === 'Processing payment...' || phase === 'Confirming payment...',
      })}
      <label className={styles.save}>
        <input type="checkbox" checked={saveCard} disabled={busy} onChange={(event) => setSaveCard(event.target.checked)} />
        <span>Save this card for next time</span>
      </label>
      <Announce phase={phase} />
      {checkout.bankWaits && <Notice>{bankText}</Notice>}
      {actions(
        <Button type="submit" size="lg" busy={busy || form.busy}>
          {phase ?? 'Pay Now'}
        </Button>,
        busy,
      )}
    </form>
  );
}
