import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { parseFilterValues } from '@handwise/contract/search/filters';
import { invalidField } from '../../../kit/errors.ts';
import { listPlacesByName } from '../../places/places.service.ts';
import type { Search, SearchFilter, Matches } from '../index/search.index.ts';
import { listSearchCards, buildPageInfo, describeTimeout, parsePage, type SearchParts } from '../search.pages.ts';
import { parseNear, parseFilter, toPlaceFilter } from '../search.rules.ts';
import { listAlternatives, fewResults, findMatchingAttempt } from './search.widening.ts';
import { type Attempt, listAttempts } from './search.attempts.ts';
import { listNamesakes } from './search.understanding.ts';
import { describeUnderstanding } from './search.views.ts';
import { toCard, listActiveByNumbers } from '../../listings/listings.service.ts';

// Facets and alternatives are left out after this share of the time limit.
const extrasShare = 0.8;

/** The public search: interprets the text and lists a page of matches. Throws `invalid_input` for an unknown value. */
export async function searchByText(searchParts: SearchParts, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  const parts = { ...searchParts, index: searchParts.index.withDeadline() };
  const startedAt = performance.now();
  const isLate = () => performance.now() - startedAt > extrasShare * parts.index.limitMs;
  const values = parseFilterValues(search);
  const withValues = ({ filter, words }: Search): Search => ({ filter: { ...filter, ...(values && { values }) }, words });
  const page = parsePage(search);
  const match = (attempt: Attempt) =>
    parts.index.match(withValues(attempt), canSort(search, attempt.filter) ? (search.sort ?? 'recommended') : 'recommended', page);

  const { where, chosen, attempts } = await prepareAttempts(parts, search, market);
  const [first] = attempts;
  let matches = await match(first);
  // Filters and orders that leave listings out must not change how the text is understood.
  const isNarrowed = values !== undefined || search.sort === 'nearest';
  const found = matches.total === 0 && isNarrowed ? (await parts.index.count(first)).total : matches.total;
  const attempt = await findMatchingAttempt(parts, attempts, { found, isPlaceTyped: search.where !== undefined });
  if (attempt !== first) matches = await match(attempt);
  if (!canSort(search, attempt.filter)) throw invalidField('sort', 'Say near which place, to show the nearest first');

  const narrowed = withValues(attempt);
  const total = matches.total ?? fewResults;
  const [listings, facets] = await Promise.all([
    listSearchCards(parts, narrowed, matches),
    // There are no facets beyond a thousand matches.
    !matches.isExact || isLate() ? null : parts.index.countFacets(narrowed),
  ]);
  const namesakes = attempt.reading.place ? attempt.understood.namesakes.map((one) => toPlaceFilter(one, search.km)) : where.namesakes;
  const count = async (other: Search) => (isLate() ? 0 : ((await parts.index.count(other)).total ?? 0));
  return {
    ...buildPageInfo(matches, search),
    listings,
    understood: describeUnderstanding(attempt, chosen, search, where),
    alternatives: isLate()
      ? []
      : await listAlternatives(
          narrowed,
          { attempts, original: attempt.original && withValues(attempt.original), namesakes, total, search },
          count,
        ),
    facets,
    notice: describeTimeout(matches),
  };
}

const canSort = ({ sort }: FindQuery, { near, place }: SearchFilter) =>
  sort !== 'nearest' || near !== undefined || (place !== undefined && place.level !== 'country');

/** The filter of the parameters and the readings of the text within it. */
async function prepareAttempts(parts: SearchParts, search: FindQuery, market: CountryCode | null) {
  const where = parseWhere(search, market);
  const chosen = filterFromParams(search, where, market);
  const attempts = await listAttempts(parts, search.q ?? '', { chosen, market, raw: search.raw !== undefined, km: search.km });
  return { where, chosen, attempts };
}

/** How a search is understood, which depends on the listings but not on the filters. */
export async function readSearch(parts: SearchParts, search: FindQuery, market: CountryCode | null): Promise<Attempt> {
  const { attempts } = await prepareAttempts(parts, search, market);
  const { total } = await parts.index.count(attempts[0]);
  return findMatchingAttempt(parts, attempts, { found: total, isPlaceTyped: search.where !== undefined });
}

/** The filter of the parameters, without the text. */
function filterFromParams(search: FindQuery, where: ParsedWhere, market: CountryCode | null): SearchFilter {
  const { near, km, q, sort } = search;
  const { place, ...services } = parseFilter(search, market);
  if (near === undefined && km !== undefined && q === undefined && !where.found) throw invalidField('km', 'Say near which place');
  if (sort === 'nearest' && near === undefined && q === undefined && !where.found && (!place || place.level === 'country'))
    throw invalidField('sort', 'Say near which place, to show the nearest first');
  const named = where.found && 'place' in where.found ? { place: where.found.place } : place && !where.found ? { place } : {};
  const around = near !== undefined ? { near: parseNear(near, km, market) } : where.found && 'near' in where.found ? where.found : {};
  return { ...services, ...named, ...around };
}

type ParsedWhere = {
  found?: ReturnType<typeof toPlaceFilter>;
  namesakes: ReturnType<typeof toPlaceFilter>[];
  corrected: string | null;
  nearMe: boolean;
};

const nearMePattern = /^(near (me|here|by)|nearby|around (me|here)|my (area|location|place)|here)$/i;

/** Parses `where`. "Near me" names no place: only the browser knows the position. */
function parseWhere({ where, km }: FindQuery, market: CountryCode | null): ParsedWhere {
  if (where === undefined || nearMePattern.test(where)) return { namesakes: [], corrected: null, nearMe: where !== undefined };
  const [place, ...others] = listPlacesByName(where, market);
  if (!place) throw invalidField('where', 'There is no such place here');
  return {
    found: toPlaceFilter(place, km),
    namesakes: listNamesakes([place, ...others]).map((one) => toPlaceFilter(one, km)),
    corrected: place.corrected ? place.name : null,
    nearMe: false,
  };
}

/**
 * The search by words, filters or number. If no listing has the words, they are interpreted as in the public search, so that both find something
 * in the same cases.
 */
export async function searchByFields(searchParts: SearchParts, search: ListingSearch, market: CountryCode | null): Promise<MemberPage> {
  const parts = { ...searchParts, index: searchParts.index.withDeadline() };
  const { title = '', listingNumber, sort } = search;
  const chosen = { ...parseFilter(search, market), ...(listingNumber !== undefined && { listingNumber }) };
  const order = sort === 'best' ? 'rating' : (sort ?? 'recommended');
  const page = parsePage(search);
  const show = async (matches: Matches): Promise<MemberPage> => ({
    listings: (await listActiveByNumbers(parts.db, matches.numbers)).map(toCard),
    ...buildPageInfo(matches, search),
    ...(matches.total === null && { notice: describeTimeout(matches) }),
  });
  const words = listingNumber === undefined ? title : '';
  const plain = await parts.index.match({ filter: chosen, words }, order, page);
  if (plain.total !== 0 || !words) return show(plain);
  const attempts = await listAttempts(parts, words, { chosen, market, raw: false, km: undefined });
  const first = await parts.index.match(attempts[0], order, page);
  const attempt = await findMatchingAttempt(parts, attempts, { found: first.total, isPlaceTyped: false });
  const found = attempt === attempts[0] ? first : await parts.index.match(attempt, order, page);
  if (found.total === 0) return show(plain);
  return { ...(await show(found)), understood: describeUnderstanding(attempt, chosen, { q: words }, { corrected: null, nearMe: false }) };
}
