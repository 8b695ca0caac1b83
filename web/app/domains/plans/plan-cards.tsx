import { IconCheck } from '@tabler/icons-react';
import type { Plan } from '@handwise/contract/plans';
import type { CountryCode } from '@handwise/contract/markets';
import type { ReactNode } from 'react';
import { amount, currencyOf } from '../../lib/format.ts';
import styles from './plan-cards.module.css';

type PlanCardsProps = {
  plans: readonly Plan[];
  country: CountryCode;
  /** What one does with a plan: a link here, a choice in the wizard. */
  action: (plan: Plan) => ReactNode;
};

/** The plans side by side, cheapest first, their differences in the same row of each card. */
export function PlanCards({ plans, country, action }: PlanCardsProps) {
  const shown = plans.toSorted((a, b) => a.rank - b.rank);
  const rows = Math.max(...shown.map((plan) => plan.features.length));
  return (
    <ul className={styles.plans} style={{ gridTemplateRows: `repeat(${rows + 3}, auto)` }}>
      {shown.map((plan) => (
        <li
          key={plan._id}
          className={`card ${styles.plan}`}
          data-popular={plan.mostPopular || undefined}
          style={{ gridRow: `span ${rows + 3}` }}
        >
          <div className={styles.head}>
            <h3>{plan.name}</h3>
            {plan.mostPopular && <span className={styles.popular}>Most Popular</span>}
            <span className={styles.term}>30-day subscription</span>
          </div>
          <p className={styles.price}>
            <span className={styles.figure}>${amount(plan.planPrice)}</span>
            <span className="muted">{currencyOf(country)} / 30 days incl. GST</span>
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
          <div className={styles.action}>{action(plan)}</div>
        </li>
      ))}
    </ul>
  );
}
