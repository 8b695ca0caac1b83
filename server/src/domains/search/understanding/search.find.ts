import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { parseFilterValues } from '@handwise/contract/search/filters';
import { invalidField } from '../../../kit/errors.ts';
import { listPlacesByName } from '../../places/places.service.ts';
import type { Search, SearchFilter, Matches } from '../index/search.index.ts';
import { SearchTimeout } from '../index/search.time-budget.ts';
import { listSearchCards, buildPageInfo, describeFirstMatches, listMatchedRows, parsePage, type SearchParts } from '../search.pages.ts';
import { parseNear, parseFilter, toPlaceFilter } from '../search.rules.ts';
import { listAlternatives, findMatchingAttempt } from './search.widening.ts';
import { type Attempt, listAttempts } from './search.attempts.ts';
import { listNamesakes } from './search.understanding.ts';
import { describeUnderstanding } from './search.views.ts';
import { toCard } from '../../listings/listings.service.ts';

const withoutNumbers = 'Some numbers are missing, because this search took too long; search again to see them';

/**
 * The public search: interprets the text and lists a page of matches. Throws `invalid_input` for an unknown value, `search_timed_out` if it is not known what
 * matches.
 */
export async function searchByText(searchParts: SearchParts, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  const parts = { ...searchParts, index: searchParts.index.withTimeLimit() };
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
  let isCutShort = false;
  const unlessTimedOut = <Value>(counting: Promise<Value>) =>
    counting.catch((error: unknown) => {
      if (!(error instanceof SearchTimeout)) throw error;
      isCutShort = true;
      return null;
    });
  const { total } = matches;
  const [listings, facets] = await Promise.all([
    listSearchCards(parts, narrowed, matches),
    // There are no facets beyond a thousand matches.
    matches.isExact ? unlessTimedOut(parts.index.countFacets(narrowed)) : null,
  ]);
  const shown = { ...buildPageInfo(matches, search), listings, understood: describeUnderstanding(attempt, chosen, search, where) };
  if (total === null) return { ...shown, alternatives: null, facets: null, notice: describeFirstMatches(narrowed.filter) };

  const namesakes = attempt.reading.place ? attempt.understood.namesakes.map((one) => toPlaceFilter(one, search.km)) : where.namesakes;
  const original = attempt.original && withValues(attempt.original);
  const alternatives = await unlessTimedOut(
    listAlternatives(narrowed, { attempts, original, namesakes, total, search }, async (other) => (await parts.index.count(other)).total),
  );
  // Without listings the alternatives are what the answer consists of.
  if (isCutShort && listings.length === 0) throw new SearchTimeout();
  return { ...shown, alternatives, facets, notice: isCutShort ? withoutNumbers : null };
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
  const parts = { ...searchParts, index: searchParts.index.withTimeLimit() };
  const { title = '', listingNumber, sort } = search;
  const chosen = { ...parseFilter(search, market), ...(listingNumber !== undefined && { listingNumber }) };
  const order = sort === 'best' ? 'rating' : (sort ?? 'recommended');
  const page = parsePage(search);
  const show = async (matches: Matches, { filter }: Pick<Search, 'filter'>): Promise<MemberPage> => ({
    listings: (await listMatchedRows(parts, matches)).map(toCard),
    ...buildPageInfo(matches, search),
    ...(matches.total === null && { notice: describeFirstMatches(filter) }),
  });
  const words = listingNumber === undefined ? title : '';
  const typed = { filter: chosen, words };
  const plain = await parts.index.match(typed, order, page);
  if (plain.total !== 0 || !words) return show(plain, typed);
  const attempts = await listAttempts(parts, words, { chosen, market, raw: false, km: undefined });
  const first = await parts.index.match(attempts[0], order, page);
  const attempt = await findMatchingAttempt(parts, attempts, { found: first.total, isPlaceTyped: false });
  const found = attempt === attempts[0] ? first : await parts.index.match(attempt, order, page);
  if (found.total === 0) return show(plain, typed);
  return {
    ...(await show(found, attempt)),
    understood: describeUnderstanding(attempt, chosen, { q: words }, { corrected: null, nearMe: false }),
  };
}
