import { paths } from '@handwise/contract/paths';

import { ButtonLink } from '../../ui/forms/button.tsx';
import styles from './compare-choice.module.css';

export const maxCompared = 3;

const comparePath = (ids: readonly string[]) => `${paths.compareListings}?listings=${ids.join()}`;

type CompareChoiceProps = { title: string; chosen: boolean; full: boolean; onChange: (chosen: boolean) => void };

/** Selects a saved listing for comparison. */
export const CompareChoice = ({ title, chosen, full, onChange }: CompareChoiceProps) => (
  <label className={styles.choice} data-disabled={(full && !chosen) || undefined}>
    <input type="checkbox" checked={chosen} disabled={full && !chosen} onChange={({ target }) => onChange(target.checked)} />
    <span>
      Compare<span className="visually-hidden"> {title}</span>
    </span>
  </label>
);

/** Stays visible below the cards while a listing is selected. */
export function CompareBar({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  return (
    <div className={styles.bar} role="status" data-bottom-bar>
      {ids.length > 0 && (
        <div className={styles.inner}>
          <span>
            {ids.length} of {maxCompared} chosen
          </span>
          <button type="button" className={styles.clear} onClick={onClear}>
            Clear choice
          </button>
          <ButtonLink to={comparePath(ids)} size="sm">
            {ids.length === 1 ? 'View listing' : 'Compare listings'}
          </ButtonLink>
        </div>
      )}
    </div>
  );
}
