import { Link } from 'react-router';
import { listAddress } from './directory-words.ts';
import styles from './list-order.module.css';

/** In which order a list is read, as links: they work before any script does. */
export const ListOrder = ({ path, isBest }: { path: string; isBest: boolean }) => (
  <nav className={styles.order} aria-label="Order">
    {[
      { name: 'Featured first', best: false },
      { name: 'Best', best: true },
    ].map(({ name, best }) => (
      <Link
        key={name}
        to={listAddress(path, { page: 1, isBest: best })}
        aria-current={best === isBest ? 'true' : undefined}
        preventScrollReset
      >
        {name}
      </Link>
    ))}
  </nav>
);
