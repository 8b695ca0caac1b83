import type { Plan } from '@handwise/contract/plans/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { ReactNode } from 'react';
import styles from './plan-cards.module.css';
import { byRank, PlanFacts, rowsOf } from './plan-facts.tsx';

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
