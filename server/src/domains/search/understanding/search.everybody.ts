import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery } from '@handwise/contract/search/calls';
import { filterValuesOf } from '@handwise/contract/search/filters';
import { invalidField } from '../../../kit/errors.ts';
import { placesNamed } from '../../places/places.service.ts';
import type { Order, Search, SearchFilter } from '../index/search.index.ts';
import { cardsOf, envelopeOf, pageFrom } from '../search.cards.ts';
import type { SearchParts } from '../search.parts.ts';
import { aroundOf, filterOf, placeFilterOf } from '../search.rules.ts';
import { alternativesTo, few } from './search.alternatives.ts';
import { attemptsOf } from './search.attempts.ts';
import { understandingOf } from './search.views.ts';
import { attemptThatFinds } from './search.widening.ts';

// What comes besides the page itself is left out where it has taken so long already.
const longMs = 400;

/** What is shown where the time limit struck. */
const narrowItDown = 'Showing the first matches; add a place or a trade to narrow it down';

/** What is found for anybody who searches, with how their words were understood. Throws `invalid_input` for a parameter that means nothing. */
export async function findForEverybody(parts: SearchParts, search: FindQuery, market: CountryCode | null): Promise<FindPage> {
  const begun = performance.now();
  const isLong = () => performance.now() - begun > longMs;
  const values = filterValuesOf(search);
  const withValues = ({ filter, words }: Search): Search => ({ filter: { ...filter, ...(values && { values }) }, words });
  const { where, chosen, attempts, attempt, known } = await readSearch(parts, search, market);
  const order = orderOf(search, attempt.filter);
  const asked = withValues(attempt);
  const page = pageFrom(search);
  const isKnown = known && !values && page.skip === 0 && order === 'recommended' && known.take === page.take;
  const matches = isKnown ? known.matches : await parts.index.match(asked, order, page);
  const total = matches.total ?? few;
  const [listings, facets] = await Promise.all([
    cardsOf(parts, asked, matches),
    matches.total === null || isLong() ? null : parts.index.facets(asked),
  ]);
  const namesakes = attempt.reading.place ? attempt.understood.namesakes.map((one) => placeFilterOf(one, search.km)) : where.namesakes;
  const count = async (other: Search) => (isLong() ? 0 : ((await parts.index.count(other)).total ?? 0));
  return {
    ...envelopeOf(matches, search),
    listings,
    understood: understandingOf(attempt, chosen, search, where),
    alternatives: isLong() ? [] : await alternativesTo(asked, { attempts, namesakes, total, search }, count),
    facets,
    notice: matches.total === null ? narrowItDown : null,
  };
}

function orderOf({ sort = 'recommended' }: FindQuery, { near, place }: SearchFilter): Order {
  if (sort === 'nearest' && !near && (!place || place.level === 'country'))
    throw invalidField('sort', 'Say near which place, to show the nearest first');
  return sort;
}

/**
 * What a search means in the listings as they are. What a text means does not change with the filters. `known`: the first page, where it was
 * found on the way.
 */
export async function readSearch(parts: SearchParts, search: FindQuery, market: CountryCode | null) {
  const where = whereOf(search, market);
  const chosen = chosenBy(search, where, market);
  const attempts = await attemptsOf(parts, search.q ?? '', { chosen, market, raw: search.raw !== undefined, km: search.km });
  const { take } = pageFrom(search);
  const matches = await parts.index.match(attempts[0], 'recommended', { skip: 0, take });
  const attempt = await attemptThatFinds(parts, attempts, { found: matches.total, isPlaceTyped: search.where !== undefined });
  return { where, chosen, attempts, attempt, known: attempt === attempts[0] ? { matches, take } : null };
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
  const [place, ...others] = placesNamed(where, market);
  if (!place) throw invalidField('where', 'There is no such place here');
  return {
    found: placeFilterOf(place, km),
    namesakes: others.slice(0, 2).map((one) => placeFilterOf(one, km)),
    corrected: place.corrected ? place.name : null,
    nearMe: false,
  };
}
