import type { CountryCode } from '@handwise/contract/markets';
import type { FindQuery } from '@handwise/contract/search';
import { type Attempt, aroundOf } from './search.attempts.ts';
import { whereaboutsOf } from './search.near.filter.ts';

type Attempts = readonly [Attempt, ...Attempt[]];

/** Words are searched in districts: a town stands for the one that it lies in. */
function inDistrict(attempt: Attempt): Attempt {
  const { place } = attempt.filter;
  const [district] = place?.level === 'town' ? aroundOf(place) : [];
  return district ? { ...attempt, filter: { ...attempt.filter, place: district } } : attempt;
}

/** Before each list of a district that was asked for by the name of a town: the list of the town itself. */
export function withTowns([first, ...others]: Attempts, chosen: number | undefined): Attempts {
  const both = (attempt: Attempt): Attempts => {
    const code = attempt.reading.place ? attempt.reading.place.localityCode : chosen;
    if (attempt.words) return [inDistrict(attempt)];
    if (code === undefined || attempt.filter.place?.level !== 'district') return [attempt];
    return [{ ...attempt, filter: { ...attempt.filter, place: { level: 'town', code } } }, attempt];
  };
  const [town, ...district] = both(first);
  return [town, ...district, ...others.flatMap(both)];
}

/** The attempts with what is asked of distances and service areas. Those are lists without words: what is left of a text is its category. */
export function whereaboutsOfAll(search: FindQuery, attempts: Attempts, market: CountryCode | null): Attempts {
  const { near, km, serves, sort } = search;
  const [first, ...others] = attempts;
  const asked = (attempt: Attempt): Attempt => ({ ...attempt, filter: whereaboutsOf({ near, km, serves, sort }, attempt.filter, market) });
  if (near === undefined && !serves) return [asked(first), ...others];
  const listed = attempts
    .filter(({ filter, words }) => !words || filter.category)
    .map((attempt) => ({ ...attempt, words: '' }))
    .filter(({ filter }) => !serves || (filter.place && filter.place.level !== 'country'));
  const [likeliest, ...more] = listed;
  return likeliest ? [asked(likeliest), ...more.map(asked)] : [asked(first)];
}
