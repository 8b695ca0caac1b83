import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { KeyboardEvent } from 'react';
import styles from './gallery.module.css';

/** Which picture is shown. */
export const Counter = ({ index, total }: { index: number; total: number }) => (
  <p className={styles.counter}>
    {index + 1} / {total}
  </p>
);

type TurnsProps = { onTurn: (step: 1 | -1) => void; onKeyDown?: (event: KeyboardEvent) => void };

/** Buttons beside a picture, to the one before and the one after. */
export const Turns = ({ onTurn, onKeyDown }: TurnsProps) => (
  <>
    <button
      type="button"
      className={styles.turn}
      data-side="left"
      aria-label="Previous photo"
      onClick={() => onTurn(-1)}
      onKeyDown={onKeyDown}
    >
      <IconChevronLeft size={24} stroke={1.75} aria-hidden="true" />
    </button>
    <button type="button" className={styles.turn} data-side="right" aria-label="Next photo" onClick={() => onTurn(1)} onKeyDown={onKeyDown}>
      <IconChevronRight size={24} stroke={1.75} aria-hidden="true" />
    </button>
  </>
);
