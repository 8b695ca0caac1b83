import { Link } from 'react-router';
import { findAddress, type FindParams, readFind } from './find-params.ts';
import styles from './find-chips.module.css';

type Typed = Pick<FindParams, 'q' | 'where'>;

/** What somebody typed who was led to a page of the directory. */
export function typedIn(asked: URLSearchParams): Typed {
  const { q, where } = readFind(asked);
  return { ...(q && { q }), ...(where && { where }) };
}

/** The way back from what was read into a search to its words. */
export const TypedSearch = ({ typed }: { typed: Typed }) =>
  typed.q === undefined ? null : (
    <p className={styles.typed}>
      <Link to={findAddress({ ...typed, raw: '1' })} className={styles.link}>
        Show only listings with the words “{[typed.q, typed.where].filter(Boolean).join(' ')}”
      </Link>
    </p>
  );
