import { IconCircleCheckFilled } from '@tabler/icons-react';
import type { CountryCode } from '@handwise/contract/markets';
import type { Plan } from '@handwise/contract/plans/calls';
import { type ReactNode, useId } from 'react';
import cards from './plan-cards.module.css';
import styles from './plan-choice.module.css';
import { byRank, PlanFacts, rowsOf } from './plan-cards.tsx';

type PlanChoiceProps = {
  plans: readonly Plan[];
  /** Decides the currency. */
  country: CountryCode;
  selectedId: string | null;
  onChange: (plan: Plan) => void;
  /** Called as well where the plan was pressed, not stepped to with the arrow keys: the page may move on. */
  onPick?: (plan: Plan) => void;
  /** Shows what is chosen, and that there is nothing to choose. */
  readOnly?: boolean;
  /** Above the cards: why there is nothing to choose, or what the choice means. */
  note?: ReactNode;
};

/** The plans as a group of radio buttons, cheapest first, three in a row. */
export function PlanChoice({ plans, country, selectedId, onChange, onPick, readOnly = false, note }: PlanChoiceProps) {
  const id = useId();
  const rows = rowsOf(plans);
  return (
    <fieldset className={styles.group} disabled={readOnly}>
      <legend className="visually-hidden">Plan</legend>
      {note && <div className={styles.note}>{note}</div>}
      <div className={`${cards.plans} ${styles.plans}`} style={{ gridTemplateRows: `repeat(${rows + 3}, auto)` }}>
        {byRank(plans).map((plan) => (
          <div
            key={plan._id}
            className={`card ${cards.plan} ${styles.plan}`}
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
              // A click that comes from the arrow keys counts no presses.
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
