import type { CountryCode } from '@handwise/contract/markets';
import type { FindQuery } from '@handwise/contract/search';
import { type Attempt, aroundOf } from './search.attempts.ts';
import { whereaboutsOf } from '../near/search.near.filter.ts';

type Attempts = readonly [Attempt, ...Attempt[]];

/** Words are searched in districts: a town stands for the one that it lies in. */
function inDistrict(attempt: Attempt): Attempt {
  const { place } = attempt.filter;
  const [district] = place?.level === 'town' ? aroundOf(place) : [];
  return district ? { ...attempt, filter: { ...attempt.filter, place: district } } : attempt;
}

/** Before each list of a district that was asked for by the name of a town: the list of the town itself. */
export function withTowns([first, ...others]: Attempts, chosen: number | undefined, serves: boolean): Attempts {
  const both = (attempt: Attempt): Attempts => {
    const code = attempt.reading.place ? attempt.reading.place.localityCode : chosen;
    // Who comes to a town comes to the town, whatever words they have.
    if (attempt.words) return [serves ? attempt : inDistrict(attempt)];
    if (code === undefined || attempt.filter.place?.level !== 'district') return [attempt];
    return [{ ...attempt, filter: { ...attempt.filter, place: { level: 'town', code } } }, attempt];
  };
  const [town, ...district] = both(first);
  return [town, ...district, ...others.flatMap(both)];
}

/** The attempts with what is asked of distances and service areas. */
export function whereaboutsOfAll(search: FindQuery, attempts: Attempts, market: CountryCode | null): Attempts {
  const { near, km, serves, sort } = search;
  const [first, ...others] = attempts;
  const asked = (attempt: Attempt): Attempt => ({ ...attempt, filter: whereaboutsOf({ near, km, serves, sort }, attempt.filter, market) });
  // Nobody comes to a whole country: such a reading is none of those.
  const fitting = serves ? others.filter(({ filter }) => filter.place && filter.place.level !== 'country') : others;
  return [asked(first), ...(near === undefined && !serves ? others : fitting.map(asked))];
}
