import { ownTimeZone } from '@handwise/contract/dates';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useSyncExternalStore } from 'react';
import { Form, Link, useNavigate } from 'react-router';
import { useRootData } from '../../../lib/root-data.ts';
import { rememberCountry } from '../bar/likely-country.ts';
import { countryNames } from '../bar/near-me.tsx';
import type { FindData } from './find-data.ts';
import { changeParams, findAddress, findNames, noPlace, withWhere } from './find-params.ts';
import styles from './where-question.module.css';

const never = () => () => {};

type Country = keyof typeof countryNames;

const townsOfCountry: Record<Country, readonly string[]> = {
  NZ: ['Auckland', 'Wellington', 'Christchurch', 'Hamilton', 'Tauranga', 'Dunedin'],
  AU: ['Sydney', 'Melbourne', 'Brisbane', 'Perth', 'Adelaide', 'Canberra'],
};

// The towns of a time zone, the biggest first.
const townsOfZone: Readonly<Record<string, readonly string[]>> = {
  'Pacific/Chatham': ['Chatham Islands', 'Christchurch', 'Wellington', 'Auckland'],
  'Australia/Sydney': ['Sydney', 'Newcastle', 'Wollongong', 'Central Coast', 'Canberra', 'Albury'],
  'Australia/Melbourne': ['Melbourne', 'Geelong', 'Ballarat', 'Bendigo', 'Shepparton', 'Mildura'],
  'Australia/Brisbane': ['Brisbane', 'Gold Coast', 'Sunshine Coast', 'Toowoomba', 'Townsville', 'Cairns'],
  'Australia/Lindeman': ['Mackay', 'Townsville', 'Rockhampton', 'Cairns', 'Brisbane'],
  'Australia/Perth': ['Perth', 'Mandurah', 'Fremantle', 'Bunbury', 'Kalgoorlie', 'Albany'],
  'Australia/Adelaide': ['Adelaide', 'Mount Gambier', 'Whyalla', 'Port Augusta'],
  'Australia/Broken_Hill': ['Broken Hill', 'Mildura', 'Adelaide'],
  'Australia/Darwin': ['Darwin', 'Palmerston', 'Alice Springs'],
  'Australia/Hobart': ['Hobart', 'Launceston', 'Devonport', 'Burnie'],
};

/** The towns to offer in a country for a time zone. */
export const listTowns = (country: Country, zone: string): readonly string[] => {
  const towns = townsOfZone[zone];
  return towns && zone.startsWith('Australia/') === (country === 'AU') ? towns : townsOfCountry[country];
};

/**
 * Asks where, above the results of a search without a place: a field, the towns nearest to the browser's time zone, and on a site of both countries the
 * other one. Works without script with the biggest towns.
 */
export function WhereQuestion({ data: { params, understood } }: { data: Pick<FindData, 'params' | 'understood'> }) {
  const { market } = useRootData();
  const navigate = useNavigate();
  // What the server sends is the same for everybody.
  const zone = useSyncExternalStore(never, ownTimeZone, () => '');
  const shown = market ?? (understood.area?.country as Country | undefined) ?? null;
  const at = (where: string) => findAddress(withWhere(params, where));
  const towns = shown ? listTowns(shown, zone) : [...townsOfCountry.NZ.slice(0, 3), ...townsOfCountry.AU.slice(0, 3)];
  const others = market ? [] : (['NZ', 'AU'] as const).filter((country) => country !== shown);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const where = new FormData(event.currentTarget).get('where');
    if (typeof where === 'string' && where.trim()) void navigate(at(where.trim()));
  };
  return (
    <div className={styles.question}>
      <Form method="get" className={styles.form} onSubmit={submit}>
        {findNames.map((name) =>
          params[name] && (!(name in noPlace) || name === 'country') && name !== 'page' ? (
            <input key={name} type="hidden" name={name} value={params[name]} />
          ) : null,
        )}
        <label htmlFor="where-question">Where?</label>
        <input
          id="where-question"
          name="where"
          type="text"
          placeholder="Suburb or town"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={120}
        />
        <button type="submit" aria-label="Search this place">
          <IconSearch size={20} stroke={2} aria-hidden="true" />
        </button>
      </Form>
      <ul className={styles.towns} aria-label="Towns">
        {towns.map((town) => (
          <li key={town}>
            <Link to={at(town)}>{town}</Link>
          </li>
        ))}
        {others.map((country) => (
          <li key={country}>
            <Link to={findAddress(changeParams(params, { ...noPlace, sort: undefined, country }))} onClick={() => rememberCountry(country)}>
              {shown ? `${countryNames[country]} instead` : `All of ${countryNames[country]}`}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
