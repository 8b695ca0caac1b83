import { count } from '@handwise/contract/numbers';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import styles from './filter-opener.module.css';

type FilterOpenerProps = {
  name: string;
  /** How many filters are set. */
  active: number;
} & Pick<ComponentProps<'button'>, 'onClick' | 'aria-haspopup' | 'popoverTarget'>;

/** Opens the sheet of filters, and says how many of them are set. */
export const FilterOpener = ({ name, active, ...press }: FilterOpenerProps) => (
  <button type="button" className={styles.open} {...press}>
    <IconAdjustmentsHorizontal size={20} stroke={1.75} aria-hidden="true" />
    {name}
    {active > 0 && (
      <span className={styles.active}>
        {count(active)}
        <span className="visually-hidden"> active</span>
      </span>
    )}
  </button>
);
