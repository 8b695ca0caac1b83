import { ownTimeZone } from '@handwise/contract/dates';
import { count } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { IconX } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useRootData } from '../../../lib/root-data.ts';
import { NearMe } from '../bar/near-me.tsx';
import { countryNames, countryOfTimeZone } from '../bar/position.ts';
import type { FindData } from './find-data.ts';
import { changed, findAddress, isNarrowed, nearby, spelledOut } from './find-params.ts';
import { correctionOf, widenedSentence } from './find-words.ts';
import { chipsOf, guessName, rawAddress, readAddress } from './understood-chips.ts';
import styles from './find-chips.module.css';

type Read = Pick<FindData, 'params' | 'understood' | 'unknown' | 'alternatives'>;

/**
 * What was understood, each part to be taken back by itself; other places of the name; the words as they were typed; other readings of a sentence. One
 * line that scrolls where there is little room.
 */
export function FindChips({ data }: { data: Read }) {
  const { market } = useRootData();
  const navigate = useNavigate();
  const { params, understood, alternatives } = data;
  const namesakes = alternatives.filter(({ isNamesake }) => isNamesake);
  const list = chipsOf(data, market);
  const raw = rawAddress(data);
  const read = readAddress(params);
  const { guess } = understood;
  return (
    <section className={styles.understood} aria-label="How we read your search">
      <div className={styles.line}>
        {list.length > 0 && (
          <ul className={styles.chips} aria-label="Active filters">
            {list.map(({ kind, name, without }) => (
              <li key={kind}>
                <Link to={without} className={styles.chip}>
                  <span className="visually-hidden">Remove {kind} </span>
                  <span className={styles.name}>{name}</span>
                  <IconX size={16} stroke={1.75} aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        )}
        {namesakes.length > 0 && (
          <ul className={styles.chips} aria-label="Other places of this name">
            {namesakes.map(({ label, total, query }) => (
              <li key={query}>
                <Link to={`${paths.search}?${query}`} className={styles.other}>
                  {label} ({count(total)})
                </Link>
              </li>
            ))}
          </ul>
        )}
        {isNarrowed(params) && (
          <Link to={paths.search} className={styles.link}>
            Clear all filters
          </Link>
        )}
        {!params.near && (
          <NearMe
            asksAtOnce={understood.nearMe}
            instead={understood.place ?? (market ? countryNames[market] : 'New Zealand and Australia')}
            onPosition={(near) => void navigate(findAddress(nearby(params, understood, near, market)))}
            onRefused={() => {
              const country = market ?? countryOfTimeZone(ownTimeZone());
              if (!understood.nearMe || understood.area || !country) return;
              void navigate(findAddress(changed(spelledOut(params, understood, market), { country: market ? undefined : country })), {
                replace: true,
              });
            }}
          />
        )}
        {raw && (
          <Link to={raw} className={styles.link}>
            Show only listings with the words “{[params.q, params.where].filter(Boolean).join(' ')}”
          </Link>
        )}
        {read && (
          <Link to={read} className={styles.link}>
            Search by service and place instead
          </Link>
        )}
        {guess && guess.alternatives.length > 0 && (
          <>
            <p id="guess">Or did you mean:</p>
            <ul className={styles.chips} aria-labelledby="guess">
              {guess.alternatives.map((one) => (
                <li key={one.query}>
                  <Link to={`${paths.search}?${one.query}`} className={styles.other}>
                    {guessName(one)}
                  </Link>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <Notes data={data} />
    </section>
  );
}

/** What the reader must know of how the search was read. */
function Notes({ data: { understood, unknown } }: { data: Read }) {
  const widened = widenedSentence(understood.widened);
  const notes = [
    unknown && `We don’t know a place called “${unknown}”. This is the search without it.`,
    correctionOf(understood),
    widened,
  ].filter(Boolean);
  return notes.length === 0 ? null : (
    <p className={styles.note} role="status">
      {notes.join(' ')}
    </p>
  );
}
