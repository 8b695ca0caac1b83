import { count } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { IconX } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useRootData } from '../../../lib/root-data.ts';
import { NearMe, countryNames } from '../bar/near-me.tsx';
import { likelyCountry } from '../bar/likely-country.ts';
import type { FindData } from './find-data.ts';
import {
  changeParams,
  findAddress,
  isNarrowed,
  searchNearby,
  getExplicitParams,
  readFind,
  withoutWish,
  type FindParams,
} from './find-params.ts';
import { describeCorrection, describeWidening, describeWishes } from './find-words.ts';
import styles from './find-chips.module.css';

type ShownSearch = Pick<FindData, 'params' | 'understood' | 'unknown' | 'alternatives'>;

/**
 * A removable chip for each understood part of the search, and links to other places of that name, the literal words and other readings.
 * Scrolls in one line on narrow screens.
 */
export function FindChips({ data }: { data: ShownSearch }) {
  const { market } = useRootData();
  const navigate = useNavigate();
  const { params, understood, alternatives } = data;
  const namesakes = alternatives?.filter(({ isNamesake }) => isNamesake) ?? [];
  const list = listChips(data, market);
  const raw = getRawAddress(data);
  const read = readAddress(params);
  const { guess } = understood;
  const offers = params.sort ? [] : understood.wishes.filter(({ isOffer }) => isOffer).slice(0, 1);
  return (
    <section className={styles.understood} aria-label="How we read your search">
      <div className={styles.line}>
        {list.length > 0 && (
          <ul className={styles.chips} aria-label="Active filters">
            {list.map(({ kind, name, without }) => (
              <li key={`${kind} ${name}`}>
                <Link to={without} className={styles.chip}>
                  <span className="visually-hidden">Remove {kind} </span>
                  <span className={styles.name}>{name}</span>
                  <IconX size={16} stroke={1.75} aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        )}
        {offers.map(({ text, filter }) => (
          <Link
            key={text}
            to={findAddress({ ...changeParams(params, {}), ...readFind(new URLSearchParams(filter ?? '')) })}
            className={styles.other}
          >
            {filter === 'sort=price' ? 'Lowest price first' : 'Best rated first'}
          </Link>
        ))}
        {isNarrowed(params) && (
          <Link to={paths.search} className={styles.link}>
            Clear all filters
          </Link>
        )}
        {!params.near && (
          <NearMe
            locatesAtOnce={understood.nearMe}
            instead={understood.place ?? (market ? countryNames[market] : 'New Zealand and Australia')}
            onPosition={(near) => void navigate(findAddress(searchNearby(params, understood, near, market)))}
            onRejected={() => {
              const country = market ?? likelyCountry();
              if (!understood.nearMe || understood.area || !country) return;
              void navigate(
                findAddress(changeParams(getExplicitParams(params, understood, market), { country: market ? undefined : country })),
                {
                  replace: true,
                },
              );
            }}
          />
        )}
        {raw && (
          <Link to={raw} className={styles.link}>
            Search for these exact words
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
      {namesakes.length > 0 && (
        <div className={styles.line}>
          <p id="namesakes">Did you mean:</p>
          <ul className={styles.chips} aria-labelledby="namesakes">
            {namesakes.map(({ label, total, query }) => (
              <li key={query}>
                <Link to={`${paths.search}?${query}`} className={styles.other}>
                  {label} ({count(total)})
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <Notes data={data} />
    </section>
  );
}

/** Notes on how the search was read. */
function Notes({ data: { understood, unknown } }: { data: ShownSearch }) {
  const widened = describeWidening(understood.widened);
  const notes = [
    unknown && `We don’t know a place called “${unknown}”. This is the search without it.`,
    describeCorrection(understood),
    understood.nobody && `${understood.nobody}.`,
    widened,
    describeWishes(understood),
  ].filter(Boolean);
  return notes.length === 0 ? null : (
    <p className={styles.note} role="status">
      {notes.join(' ')}
    </p>
  );
}

type UnderstoodSearch = Pick<FindData, 'params' | 'understood'>;
type Chip = { kind: string; name: string; without: string };

/** The understood parts of a search as chips: each links the same search without it. */
export function listChips({ params, understood }: UnderstoodSearch, market: string | null): Chip[] {
  const { category, subCategory, place, words } = understood;
  const parts = getExplicitParams(params, understood, market);
  const without = (change: Parameters<typeof changeParams>[1]) => findAddress(changeParams(parts, change));
  const placeless = { country: undefined, region: undefined, district: undefined };
  return [
    { kind: 'category', name: category, without: without({ category: undefined, subCategory: undefined }) },
    { kind: 'sub-category', name: subCategory, without: without({ subCategory: undefined }) },
    // The country of a single-country host cannot be removed.
    { kind: 'place', name: !understood.near && (parts.region || parts.country) ? place : null, without: without(placeless) },
    {
      kind: 'distance',
      name: understood.near ? nearName(understood.near) : null,
      without: without({ near: undefined, km: undefined, sort: params.sort === 'nearest' ? undefined : params.sort }),
    },
    ...understood.wishes.map(({ text }) => ({ kind: 'wish', name: text, without: findAddress(withoutWish(params, text)) })),
    {
      kind: 'words',
      name: words && (/^#\d+$/.test(words) ? words : `“${words}”`),
      without: without({ q: understood.wishes.map(({ text }) => text).join(' '), raw: undefined }),
    },
  ].filter((chip): chip is Chip => Boolean(chip.name));
}

const nearName = ({ label, km }: { label: string; km: number }) => `Within ${km} km of ${/^-?\d/.test(label) ? 'where you are' : label}`;

/** The URL of a search for the literal words, if they were interpreted. */
export function getRawAddress({ params, understood }: UnderstoodSearch): string | null {
  const { category, subCategory, place, corrected } = understood;
  const typed = params.q;
  if (!typed || params.raw || (understood.words === typed && !corrected)) return null;
  // Explicit choices are not interpretations of the words.
  const isRead = (category && !params.category) || (subCategory && !params.subCategory) || (place && !params.where) || corrected;
  return isRead ? findAddress(changeParams(params, { raw: '1' })) : null;
}

/** The URL that leads from the literal words back to the interpreted search. */
export const readAddress = (params: FindParams) => (params.raw && params.q ? findAddress(changeParams(params, { raw: undefined })) : null);

/** "Plumbing: Drain cleaning" */
const guessName = ({ category, subCategory }: { category: string; subCategory: string | null }) =>
  [category, subCategory].filter(Boolean).join(': ');
