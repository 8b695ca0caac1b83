import type { Understanding } from '@handwise/contract/search';
import { findHeading } from '../find/find-words.ts';
import styles from './filter-chips.module.css';

type ReadingNoteProps = { reading: Understanding; onTake: () => void };

/** No listing has the words as they are: what they were read as, to be taken over into the filters. */
export const ReadingNote = ({ reading, onTake }: ReadingNoteProps) => (
  <div className={styles.row} role="status">
    <span>Understood as</span>
    <button type="button" className={styles.chip} onClick={onTake}>
      <span className={styles.name}>{findHeading(reading)}</span>
      <span className="visually-hidden">: use as filters</span>
    </button>
  </div>
);
