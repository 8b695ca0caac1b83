import { gstWithin, money } from '@handwise/contract/money';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { counted } from '@handwise/contract/numbers';
import type { FreeMonth } from '@handwise/contract/plans/calls';
import { subscriptionDays } from '@handwise/contract/plans/table';
import type { ReactNode } from 'react';
import { currencyOf } from '../../lib/format.ts';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Button } from '../../ui/forms/button.tsx';
import type { Path } from './checkout-states.ts';
import styles from './checkout.module.css';
import type { Purchase } from './use-checkout.ts';

const dollars = (minor: number, country: CountryCode) => money(minor, currencyOf(country));

const freeMonthNames: Record<FreeMonth['source'], string> = {
  free_first_month: 'Free first month, by a referral code',
  free_month: 'Free month, from your referrals',
};

type SummaryProps = {
  purchase: Purchase;
  /** In cents, null until the server has said. */
  total: number | null;
  path: Path;
  freeBy: FreeMonth['source'] | null;
  onChangePlan: (() => void) | undefined;
  children: ReactNode;
};

/** What is bought, what it costs, and what of it is tax. */
export function CheckoutSummary({ purchase: { plan, country }, total, path, freeBy, onChangePlan, children }: SummaryProps) {
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
