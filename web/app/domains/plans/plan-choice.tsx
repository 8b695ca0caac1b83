import { IconCircleCheckFilled, IconCheck } from '@tabler/icons-react';
import type { CountryCode } from '@handwise/contract/markets';
import type { Plan } from '@handwise/contract/plans/calls';
import { type ReactNode, useId } from 'react';
import styles from './plan-choice.module.css';
import { amount } from '@handwise/contract/money';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { getCurrency } from '../../lib/format.ts';

type PlanChoiceProps = {
  plans: readonly Plan[];
  /** Decides the currency. */
  country: CountryCode;
  selectedId: string | null;
  onChange: (plan: Plan) => void;
  /** Also called if the plan was pressed instead of reached by arrow keys, so that the page may move on. */
  onPick?: (plan: Plan) => void;
  /** Shows the choice as fixed. */
  readOnly?: boolean;
  /** Above the cards: why the choice is fixed, or what it means. */
  note?: ReactNode;
};

/** The plans as a group of radio buttons, cheapest first, three in a row. */
export function PlanChoice({ plans, country, selectedId, onChange, onPick, readOnly = false, note }: PlanChoiceProps) {
  const id = useId();
  const rows = getRows(plans);
  return (
    <fieldset className={styles.group} disabled={readOnly}>
      <legend className="visually-hidden">Plan</legend>
      {note && <div className={styles.note}>{note}</div>}
      <div className={`${styles.planCardsPlans} ${styles.plans}`} style={{ gridTemplateRows: `repeat(${rows + 3}, auto)` }}>
        {byRank(plans).map((plan) => (
          <div
            key={plan._id}
            className={`card ${styles.planCardsPlan} ${styles.plan}`}
            data-popular={plan.mostPopular || undefined}
            style={{ gridRow: `span ${rows + 3}` }}
          >
            <PlanFacts
              plan={plan}
              country={country}
              rows={rows}
              level={2}
              nameId={`${id}-${plan._id}`}
              priceId={`${id}-${plan._id}-price`}
            />
            {/* Covers the card, so that all of it can be pressed. */}
            <input
              type="radio"
              className={styles.radio}
              name={`${id}-plan`}
              value={plan._id}
              checked={plan._id === selectedId}
              aria-labelledby={`${id}-${plan._id} ${id}-${plan._id}-price`}
              onChange={() => onChange(plan)}
              // Clicks caused by arrow keys have a `detail` of 0.
              onClick={(event) => event.detail > 0 && onPick?.(plan)}
            />
            <p className={styles.mark} aria-hidden="true">
              <span className={styles.chosen}>
                <IconCircleCheckFilled size={22} />
                {readOnly ? 'Your plan' : 'Selected'}
              </span>
              <span className={styles.open}>{readOnly ? '' : `Choose ${plan.name}`}</span>
            </p>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

type PlanCardsProps = {
  plans: readonly Plan[];
  country: CountryCode;
  /** The button or link of a plan. */
  action: (plan: Plan) => ReactNode;
};

/** The plans side by side, cheapest first, their differences in the same row of each card. */
export function PlanCards({ plans, country, action }: PlanCardsProps) {
  const rows = getRows(plans);
  return (
    <ul className={styles.planCardsPlans} style={{ gridTemplateRows: `repeat(${rows + 3}, auto)` }}>
      {byRank(plans).map((plan) => (
        <li
          key={plan._id}
          className={`card ${styles.planCardsPlan}`}
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
const byRank = (plans: readonly Plan[]) => plans.toSorted((a, b) => a.rank - b.rank);

/** The number of rows in each card, the same for all so that their rows align. */
const getRows = (plans: readonly Plan[]) => Math.max(...plans.map((plan) => plan.features.length));

type PlanFactsProps = { plan: Plan; country: CountryCode; rows: number; nameId?: string; priceId?: string; level?: 2 | 3 };

/** Name, price and features of a plan: two rows and `rows` more of the grid around it. */
function PlanFacts({ plan, country, rows, nameId, priceId, level = 3 }: PlanFactsProps) {
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
          {getCurrency(country)} / {subscriptionDays} days incl. GST
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
