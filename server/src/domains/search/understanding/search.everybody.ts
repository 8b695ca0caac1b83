import { pageSize } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery } from '@handwise/contract/search';
import type { Db } from '../../../kit/database/database.ts';
import { invalidField } from '../../../kit/errors.ts';
import { pageOf } from '../../listings/listings.service.ts';
import { placesNamed } from '../../places/places.service.ts';
import { alternativesTo } from './search.alternatives.ts';
import { type PlaceFilter, type Search, attemptsOf, firstThatFinds, placeFilterOf } from './search.attempts.ts';
import { whereaboutsOf } from '../near/search.near.filter.ts';
import { whereaboutsOfAll, withTowns } from './search.whereabouts.ts';
import { asksDistance, findCards } from '../orders/search.cards.ts';
import { evidenceOf } from '../orders/search.evidence.ts';
import { type ListingFilter, filterOf } from '../search.rules.ts';
import { type SearchMemory, totalOf } from '../search.memory.ts';
import { findMatches } from '../orders/search.matches.ts';
import { countInPostings } from '../postings/counting.ts';
import { understandingOf } from './search.views.ts';

/** What is found for anybody who searches, with how their words were understood. Throws `invalid_input` for a parameter that means nothing. */
export async function findForEverybody(db: Db, memory: SearchMemory, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  const page = search.page ?? 1;
  const take = search.limit ?? pageSize;
  const order = search.sort === undefined || search.sort === 'nearest' ? 'recommended' : search.sort;
  const evidence = evidenceOf(search);
  const find = ({ filter, words }: Search, at: { skip: number; take: number }) =>
    findCards(db, memory, words ? { title: words } : {}, { ...filter, ...(evidence && { evidence }) }, order, at);

  const filtered = async (one: Search) =>
    (await countInPostings(db, memory, { ...one.filter, ...(evidence && { evidence }) }, one.words)) ?? (await find(one, first)).total;

  const { where, chosen, attempts, attempt, count } = await readSearch(db, memory, search, market);
  const found = await find(attempt, { skip: (page - 1) * take, take });
  const namesakes = attempt.reading.place ? attempt.understood.namesakes.map(placeFilterOf) : where.namesakes;
  const from = { attempts, namesakes, total: found.total, search };
  return {
    ...pageOf(found.listings, found.total, { page, take }),
    listings: found.listings,
    understood: understandingOf(attempt, chosen, search, where),
    alternatives: await alternativesTo(attempt, from, { filtered, unfiltered: count }),
    facets: found.facets,
  };
}

const first = { skip: 0, take: 1 };

/** What a search means in the listings as they are: of the ways to read it the first that finds something, whatever filters it has. */
export async function readSearch(db: Db, memory: SearchMemory, search: FindQuery, market: CountryCode | null) {
  const count = async ({ filter, words }: Search) => {
    const inMemory = await countInPostings(db, memory, filter, words);
    if (inMemory !== null) return inMemory;
    const title = words ? { title: words } : {};
    if (asksDistance(words, filter)) return (await findCards(db, memory, title, filter, 'recommended', first)).total;
    return words ? (await findMatches(db, memory, title, filter, first)).total : totalOf(db, memory, filter);
  };
  const where = whereOf(search, market);
  const chosen = chosenBy(search, where, market);
  const read = await attemptsOf(db, memory, search.q ?? '', chosen, market, { raw: search.raw !== undefined });
  const attempts = whereaboutsOfAll(
    search,
    search.near === undefined ? withTowns(read, where.town, search.serves !== undefined) : read,
    market,
  );
  // What a text means does not change with the filters: it is what finds something without them.
  return { where, chosen, attempts, attempt: await firstThatFinds(attempts, count), count };
}

/** What was chosen by parameters. */
function chosenBy(
  { country, region, district, town, category, subCategory }: FindQuery,
  where: Where,
  market: CountryCode | null,
): ListingFilter {
  const named = filterOf({ country, region, district, category, subCategory }, market);
  return whereaboutsOf({ town, region }, { ...named, ...(where.place && { place: where.place }) }, market);
}

type Where = {
  place?: PlaceFilter;
  /** The town that was named, where it was one. */
  town?: number | undefined;
  namesakes: PlaceFilter[];
  corrected: string | null;
  nearMe: boolean;
};

const nearMe = /^(near (me|here|by)|nearby|around (me|here)|my (area|location|place)|here)$/i;

/** What was typed as the place. "Near me" is none: only they can say where that is. */
function whereOf({ where }: FindQuery, market: CountryCode | null): Where {
  if (where === undefined || nearMe.test(where)) return { namesakes: [], corrected: null, nearMe: where !== undefined };
  const [place, ...others] = placesNamed(where, market);
  if (!place) throw invalidField('where', 'There is no such place here');
  return {
    place: placeFilterOf(place),
    town: place.localityCode,
    namesakes: others.slice(0, 2).map(placeFilterOf),
    corrected: place.corrected ? place.name : null,
    nearMe: false,
  };
}
