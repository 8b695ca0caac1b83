import type { Tone } from './referral-view.ts';
import styles from './state-chip.module.css';

/** A state as a coloured word. */
export const StateChip = ({ state: { name, tone } }: { state: { name: string; tone: Tone } }) => (
  <span className={styles.chip} data-tone={tone}>
    {name}
  </span>
);
