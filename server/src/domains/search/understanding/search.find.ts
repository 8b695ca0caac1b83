import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { invalidField } from '../../../kit/errors.ts';
import { toCard } from '../../listings/listings.service.ts';
import type { Matches, Order, Search, SearchFilter } from '../index/search.index.ts';
import { SearchTimeout } from '../index/search.time-budget.ts';
import { parseFilter, readFilter, toPlaceFilter } from '../search.filter.ts';
import { listSearchCards, buildPageInfo, describeFirstMatches, listMatchedRows, parsePage, type SearchParts } from '../search.pages.ts';
import { listAlternatives } from './search.alternatives.ts';
import { type Attempt, listAttempts, toPlainSearch } from './search.attempts.ts';
import { findSections, narrow } from './search.sections.ts';
import { describeSections, describeUnderstanding, toFilterParams } from './search.views.ts';

const withoutNumbers = 'Some numbers are missing, because this search took too long; search again to see them';

/**
 * The public search: interprets the text and lists a page of matches. Throws `invalid_input` for an unknown value, `search_timed_out` if it is not known what
 * matches.
 */
export async function searchByText(searchParts: SearchParts, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  const parts = { ...searchParts, index: searchParts.index.withTimeLimit() };
  const { where, chosen, values, attempts } = await prepareAttempts(parts, search, market);
  const order = (filter: SearchFilter): Order => (canSort(search, filter) ? (search.sort ?? 'recommended') : 'recommended');
  const found = await findSections(parts, attempts, {
    order,
    page: parsePage(search),
    values,
    isByDistance: search.sort === 'nearest',
    isPlaceTyped: search.where !== undefined,
    isExact: search.raw !== undefined,
  });
  const { attempt, matches, unmet } = found;
  if (!canSort(search, attempt.filter)) throw invalidField('sort', 'Say near which place, to show the nearest first');

  const narrowed = narrow(attempt, values, unmet);
  let { isCutShort } = found;
  const unlessTimedOut = <Value>(counting: Promise<Value>) =>
    counting.catch((error: unknown) => {
      if (!(error instanceof SearchTimeout)) throw error;
      isCutShort = true;
      return null;
    });
  const { total } = matches;
  const [listings, facets] = await Promise.all([
    listSearchCards(parts, narrowed, found, order(attempt.filter)),
    // There are no facets beyond a thousand matches.
    matches.isExact ? unlessTimedOut(parts.index.countFacets(narrowed, matches.all)) : null,
  ]);
  const understood = describeUnderstanding(found, chosen, search, where);
  const shown = { ...buildPageInfo(matches, search), listings, sections: describeSections(found, listings), understood };
  if (total === null) return { ...shown, alternatives: null, facets: null, notice: describeFirstMatches(narrowed.filter) };

  const namesakes = attempt.reading.place ? attempt.understood.namesakes.map((one) => toPlaceFilter(one, search.km)) : where.namesakes;
  const plain = toPlainSearch(narrowed, attempt);
  const wished = { ...search, ...toFilterParams(narrowed.filter.values) };
  const alternatives = await unlessTimedOut(
    listAlternatives(plain, { attempts, namesakes, total, search: wished }, async (other) => (await parts.index.count(other)).total),
  );
  // Without listings the alternatives are what the answer consists of.
  if (isCutShort && listings.length === 0) throw new SearchTimeout();
  return { ...shown, alternatives, facets, notice: isCutShort ? withoutNumbers : null };
}

const canSort = ({ sort }: FindQuery, { near, place }: SearchFilter) =>
  sort !== 'nearest' || near !== undefined || (place !== undefined && place.level !== 'country');

/** The filter of the parameters and the readings of the text within it. */
async function prepareAttempts(parts: SearchParts, search: FindQuery, market: CountryCode | null) {
  const asked = readFilter(search, market);
  const { chosen } = asked;
  const attempts = await listAttempts(parts, search.q ?? '', { chosen, market, raw: search.raw !== undefined, km: search.km });
  return { ...asked, attempts };
}

/** How a search is understood, which depends on the listings but not on the filters. */
export async function readSearch(parts: SearchParts, search: FindQuery, market: CountryCode | null): Promise<Attempt> {
  const { attempts } = await prepareAttempts(parts, search, market);
  const [only, ...others] = attempts;
  // Without a text there is nothing to read.
  if (only && others.length === 0 && search.q === undefined) return only;
  const page = { skip: 0, take: 1 };
  return (
    await findSections(parts, attempts, {
      ...plainly,
      page,
      isPlaceTyped: search.where !== undefined,
      isExact: search.raw !== undefined,
    })
  ).attempt;
}

const plainly = { order: () => 'recommended' as const, values: undefined, isByDistance: false };

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
  const found = await findSections(parts, attempts, { ...plainly, order: () => order, page, isPlaceTyped: false, isExact: false });
  const { attempt, matches } = found;
  if (matches.total === 0) return show(plain, typed);
  return {
    ...(await show(matches, attempt)),
    understood: describeUnderstanding(found, chosen, { q: words }, { countries: [], corrected: null, nearMe: false }),
  };
}
