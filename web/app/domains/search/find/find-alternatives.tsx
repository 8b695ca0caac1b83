import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import type { FindData } from './find-data.ts';
import styles from './find-alternatives.module.css';

/** Searches close to this one that find something, one press away, each with its number. */
export const FindAlternatives = ({ alternatives }: Pick<FindData, 'alternatives'>) =>
  alternatives.length === 0 ? null : (
    <nav aria-labelledby="alternatives" className={styles.alternatives}>
      <h2 id="alternatives">Searches close to this one</h2>
      <ul className={styles.list}>
        {alternatives.map(({ label, total, query }) => (
          <li key={query}>
            <Link to={`${paths.search}?${query}`}>
              <span>{label}</span>
              <span className={styles.total}>{counted(total, 'listing')}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
