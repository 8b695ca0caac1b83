import type { PlanType } from '@handwise/contract/plans/calls';
import styles from './placement-label.module.css';

const labels: Partial<Record<PlanType, string>> = { featured: 'Featured', premium: 'Highlighted' };
const noteId = 'placement-note';

/** Says that a place in the list was paid for. Explains itself on tap; the page needs one `PlacementNote`. */
export function PlacementLabel({ plan }: { plan: PlanType }) {
  const label = labels[plan];
  return label ? (
    <button type="button" className={styles.label} data-plan={plan} popoverTarget={noteId}>
      {label}
      <span className="visually-hidden">: what does this mean?</span>
    </button>
  ) : null;
}

/** The explanation behind every label of a page. A native popover: it opens without script and closes on Escape. */
export const PlacementNote = () => (
  <div id={noteId} popover="auto" role="dialog" aria-label="Paid placement" className={`floating ${styles.note}`}>
    <p>
      <strong>Paid placement.</strong> Businesses pay to have Featured and Highlighted listings shown before the others. It never changes
      their reviews or ratings.
    </p>
    <button type="button" className={styles.close} popoverTarget={noteId} popoverTargetAction="hide">
      Got it
    </button>
  </div>
);
