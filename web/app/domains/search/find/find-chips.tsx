import { paths } from '@handwise/contract/paths';
import { IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useRootData } from '../../../lib/root-data.ts';
import chips from '../filters/filter-chips.module.css';
import type { FindData } from './find-data.server.ts';
import { chipsOf, guessName, rawAddress, readAddress } from './understood-chips.ts';
import styles from './find-chips.module.css';

/** What was understood, each part to be taken back by itself; the words as they were typed; other readings of a sentence. */
export function FindChips({ data }: { data: Pick<FindData, 'params' | 'understood' | 'unknown'> }) {
  const { market } = useRootData();
  const { params, understood, unknown } = data;
  const list = chipsOf(data, market);
  const raw = rawAddress(data);
  const read = readAddress(params);
  const { guess, corrected } = understood;
  if (list.length === 0 && !raw && !read && !unknown && understood.widened.length === 0) return null;
  return (
    <section className={styles.understood} aria-label="How we read your search">
      {list.length > 0 && (
        <ul className={chips.chips}>
          {list.map(({ kind, name, without }) => (
            <li key={kind}>
              <Link to={without} className={`${chips.chip} ${styles.chip}`}>
                <span className="visually-hidden">Remove {kind} </span>
                <span className={chips.name}>{name}</span>
                <IconX size={16} stroke={1.75} aria-hidden="true" />
              </Link>
            </li>
          ))}
        </ul>
      )}
      {unknown && <p role="status">We don’t know a place called “{unknown}”. This is the search without it.</p>}
      {understood.widened.length > 0 && <p role="status">Nothing matched all of it, so this is {understood.widened.join(', and ')}.</p>}
      {corrected && (
        <p>
          Searched for <strong>{corrected}</strong>.
        </p>
      )}
      {raw && (
        <p>
          <Link to={raw} className={styles.link}>
            Show only listings with the words “{[params.q, params.where].filter(Boolean).join(' ')}”
          </Link>
        </p>
      )}
      {read && (
        <p>
          These results match your words exactly as typed.{' '}
          <Link to={read} className={styles.link}>
            Search by service and place instead
          </Link>
        </p>
      )}
      {guess && guess.alternatives.length > 0 && (
        <div className={styles.guess}>
          <p id="guess">That is our best guess. Or did you mean:</p>
          <ul className={chips.chips} aria-labelledby="guess">
            {guess.alternatives.map((one) => (
              <li key={one.query}>
                <Link to={`${paths.search}?${one.query}`} className={styles.other}>
                  {guessName(one)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
