import type { Plan } from '@handwise/contract/plans/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { ReactNode } from 'react';
import styles from './plan-cards.module.css';
import { amount } from '@handwise/contract/money';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { IconCheck } from '@tabler/icons-react';
import { currencyOf } from '../../lib/format.ts';

type PlanCardsProps = {
  plans: readonly Plan[];
  country: CountryCode;
  /** What leads on from a plan. */
  action: (plan: Plan) => ReactNode;
};

/** The plans side by side, cheapest first, their differences in the same row of each card. */
export function PlanCards({ plans, country, action }: PlanCardsProps) {
  const rows = rowsOf(plans);
  return (
    <ul className={styles.plans} style={{ gridTemplateRows: `repeat(${rows + 3}, auto)` }}>
      {byRank(plans).map((plan) => (
        <li
          key={plan._id}
          className={`card ${styles.plan}`}
          data-popular={plan.mostPopular || undefined}
          style={{ gridRow: `span ${rows + 3}` }}
        >
          <PlanFacts plan={plan} country={country} rows={rows} />
          <div className={styles.action}>{action(plan)}</div>
        </li>
      ))}
    </ul>
  );
}

/** Cheapest first, as plans are shown everywhere. */
export const byRank = (plans: readonly Plan[]) => plans.toSorted((a, b) => a.rank - b.rank);

/** So many rows each plan fills, that the same row says the same in each card. */
export const rowsOf = (plans: readonly Plan[]) => Math.max(...plans.map((plan) => plan.features.length));

type PlanFactsProps = { plan: Plan; country: CountryCode; rows: number; nameId?: string; priceId?: string; level?: 2 | 3 };

/** Name, price and features of a plan: two rows and `rows` more of the grid around it. */
export function PlanFacts({ plan, country, rows, nameId, priceId, level = 3 }: PlanFactsProps) {
  const Name = `h${level}` as const;
  return (
    <>
      <div className={styles.head}>
        <Name id={nameId} className={styles.name}>
          {plan.name}
        </Name>
        {plan.mostPopular && <span className={styles.popular}>Most Popular</span>}
        {/* Reads '30-day subscription'. */}
        <span className={styles.term}>{subscriptionDays}-day subscription</span>
      </div>
      <p className={styles.price} id={priceId}>
        <span className={styles.figure}>${amount(plan.planPrice)}</span>{' '}
        <span className="muted">
          {currencyOf(country)} / {subscriptionDays} days incl. GST
        </span>
      </p>
      {Array.from({ length: rows }, (_, row) => {
        const feature = plan.features[row];
        return feature === undefined ? (
          <p key={row} className={styles.feature} data-missing="" aria-hidden="true">
            –
          </p>
        ) : (
          <p key={row} className={styles.feature}>
            <IconCheck size={20} stroke={2.25} aria-hidden="true" />
            {feature}
          </p>
        );
      })}
    </>
  );
}
