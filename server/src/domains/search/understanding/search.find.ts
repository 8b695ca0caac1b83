import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { filterValuesOf } from '@handwise/contract/search/filters';
import { invalidField } from '../../../kit/errors.ts';
import { listPlacesByName } from '../../places/places.service.ts';
import type { Search, SearchFilter, Matches } from '../index/search.index.ts';
import { cardsOf, envelopeOf, noticeOf, pageFrom, type SearchParts } from '../search.pages.ts';
import { aroundOf, filterOf, placeFilterOf } from '../search.rules.ts';
import { alternativesTo, few, attemptThatFinds } from './search.widening.ts';
import { type Attempt, attemptsOf } from './search.attempts.ts';
import { namesakesOf } from './search.understanding.ts';
import { understandingOf } from './search.views.ts';
import { toCard, listActiveByNumbers } from '../../listings/listings.service.ts';

// After this share of the time limit, filter counts and alternatives are left out.
const extrasShare = 0.8;

/** What is found for anybody who searches, with how their words were understood. Throws `invalid_input` for a parameter that means nothing. */
export async function findForEverybody(opened: SearchParts, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  const parts = { ...opened, index: opened.index.withDeadline() };
  const begun = performance.now();
  const isLong = () => performance.now() - begun > extrasShare * parts.index.limitMs;
  const values = filterValuesOf(search);
  const withValues = ({ filter, words }: Search): Search => ({ filter: { ...filter, ...(values && { values }) }, words });
  const page = pageFrom(search);
  const match = (attempt: Attempt) =>
    parts.index.match(withValues(attempt), isOrderOf(search, attempt.filter) ? (search.sort ?? 'recommended') : 'recommended', page);

  const { where, chosen, attempts } = await attemptsFor(parts, search, market);
  const [first] = attempts;
  let matches = await match(first);
  // Filters and orders leave listings out, and do not change what was understood.
  const isNarrowed = values !== undefined || search.sort === 'nearest';
  const found = matches.total === 0 && isNarrowed ? (await parts.index.count(first)).total : matches.total;
  const attempt = await attemptThatFinds(parts, attempts, { found, isPlaceTyped: search.where !== undefined });
  if (attempt !== first) matches = await match(attempt);
  if (!isOrderOf(search, attempt.filter)) throw invalidField('sort', 'Say near which place, to show the nearest first');

  const asked = withValues(attempt);
  const total = matches.total ?? few;
  const [listings, facets] = await Promise.all([
    cardsOf(parts, asked, matches),
    // Of more than a thousand there are none.
    !matches.isExact || isLong() ? null : parts.index.facets(asked),
  ]);
  const namesakes = attempt.reading.place ? attempt.understood.namesakes.map((one) => placeFilterOf(one, search.km)) : where.namesakes;
  const count = async (other: Search) => (isLong() ? 0 : ((await parts.index.count(other)).total ?? 0));
  return {
    ...envelopeOf(matches, search),
    listings,
    understood: understandingOf(attempt, chosen, search, where),
    alternatives: isLong()
      ? []
      : await alternativesTo(asked, { attempts, meant: attempt.meant && withValues(attempt.meant), namesakes, total, search }, count),
    facets,
    notice: noticeOf(matches),
  };
}

const isOrderOf = ({ sort }: FindQuery, { near, place }: SearchFilter) =>
  sort !== 'nearest' || near !== undefined || (place !== undefined && place.level !== 'country');

/** What was chosen by parameters, and the ways to read what was typed within it. */
async function attemptsFor(parts: SearchParts, search: FindQuery, market: CountryCode | null) {
  const where = whereOf(search, market);
  const chosen = chosenBy(search, where, market);
  const attempts = await attemptsOf(parts, search.q ?? '', { chosen, market, raw: search.raw !== undefined, km: search.km });
  return { where, chosen, attempts };
}

/** What a search means in the listings as they are. What a text means does not change with the filters. */
export async function readSearch(parts: SearchParts, search: FindQuery, market: CountryCode | null): Promise<Attempt> {
  const { attempts } = await attemptsFor(parts, search, market);
  const { total } = await parts.index.count(attempts[0]);
  return attemptThatFinds(parts, attempts, { found: total, isPlaceTyped: search.where !== undefined });
}

/** What was chosen by parameters. */
function chosenBy(search: FindQuery, where: Where, market: CountryCode | null): SearchFilter {
  const { near, km, q, sort } = search;
  const { place, ...services } = filterOf(search, market);
  if (near === undefined && km !== undefined && q === undefined && !where.found) throw invalidField('km', 'Say near which place');
  if (sort === 'nearest' && near === undefined && q === undefined && !where.found && (!place || place.level === 'country'))
    throw invalidField('sort', 'Say near which place, to show the nearest first');
  const named = where.found && 'place' in where.found ? { place: where.found.place } : place && !where.found ? { place } : {};
  const around = near !== undefined ? { near: aroundOf(near, km, market) } : where.found && 'near' in where.found ? where.found : {};
  return { ...services, ...named, ...around };
}

type Where = {
  found?: ReturnType<typeof placeFilterOf>;
  namesakes: ReturnType<typeof placeFilterOf>[];
  corrected: string | null;
  nearMe: boolean;
};

const nearMe = /^(near (me|here|by)|nearby|around (me|here)|my (area|location|place)|here)$/i;

/** What was typed as the place. "Near me" is none: only they can say where that is. */
function whereOf({ where, km }: FindQuery, market: CountryCode | null): Where {
  if (where === undefined || nearMe.test(where)) return { namesakes: [], corrected: null, nearMe: where !== undefined };
  const [place, ...others] = listPlacesByName(where, market);
  if (!place) throw invalidField('where', 'There is no such place here');
  return {
    found: placeFilterOf(place, km),
    namesakes: namesakesOf([place, ...others]).map((one) => placeFilterOf(one, km)),
    corrected: place.corrected ? place.name : null,
    nearMe: false,
  };
}

/**
 * The search of the documented call: by words, filters or number. Words that no listing has are read as everybody's are, and the answer then says
 * how: where a visitor finds something, a member does too.
 */
export async function searchAsMember(opened: SearchParts, search: ListingSearch, market: CountryCode | null): Promise<MemberPage> {
  const parts = { ...opened, index: opened.index.withDeadline() };
  const { title = '', listingNumber, sort } = search;
  const chosen = { ...filterOf(search, market), ...(listingNumber !== undefined && { listingNumber }) };
  const order = sort === 'best' ? 'rating' : (sort ?? 'recommended');
  const page = pageFrom(search);
  const show = async (matches: Matches): Promise<MemberPage> => ({
    listings: (await listActiveByNumbers(parts.db, matches.numbers)).map(toCard),
    ...envelopeOf(matches, search),
    ...(matches.total === null && { notice: noticeOf(matches) }),
  });
  const words = listingNumber === undefined ? title : '';
  const plain = await parts.index.match({ filter: chosen, words }, order, page);
  if (plain.total !== 0 || !words) return show(plain);
  const attempts = await attemptsOf(parts, words, { chosen, market, raw: false, km: undefined });
  const first = await parts.index.match(attempts[0], order, page);
  const attempt = await attemptThatFinds(parts, attempts, { found: first.total, isPlaceTyped: false });
  const found = attempt === attempts[0] ? first : await parts.index.match(attempt, order, page);
  if (found.total === 0) return show(plain);
  return { ...(await show(found)), understood: understandingOf(attempt, chosen, { q: words }, { corrected: null, nearMe: false }) };
}
