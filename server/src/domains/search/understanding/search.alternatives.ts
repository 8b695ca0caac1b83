import { pageSize } from '@handwise/contract/listings';
import type { FindPage, FindQuery } from '@handwise/contract/search';
import { aroundOf, type Attempt, type Search } from './search.attempts.ts';
import type { ListingFilter } from '../search.rules.ts';
import { labelOf, queryOf } from './search.views.ts';

type Alternative = FindPage['alternatives'][number];

// Below so many results other searches are offered too.
const few = 3;
const mostAlternatives = 4;
const distances = [50, 100, 200];

/**
 * What finds more than a search that finds little, each with its exact number: the nearest place around, the category without the words,
 * the words as they were typed, other places of the name; where nothing of it finds anything, all that is there.
 */
export async function alternativesTo(
  attempt: Attempt,
  from: { attempts: readonly Attempt[]; namesakes: readonly NonNullable<ListingFilter['place']>[]; total: number; search: FindQuery },
  count: { filtered: (other: Search) => Promise<number>; unfiltered: (other: Search) => Promise<number> },
): Promise<Alternative[]> {
  const { filter, words } = attempt;
  const comes = await thoseWhoCome(attempt, from, count.unfiltered);
  if (from.total >= few) return comes;
  const found = new Map<string, Alternative>();
  /** Adds the first of these that finds more, elsewhere that finds any. */
  const addFirst = async (others: readonly Search[], elsewhere = false) => {
    if (found.size >= mostAlternatives) return;
    for (const other of others) {
      const key = JSON.stringify([other.filter, other.words]);
      if (key === JSON.stringify([filter, words]) || found.has(key)) continue;
      // oxlint-disable-next-line no-await-in-loop -- the nearest that finds more is enough: the wider ones are not counted
      const total = await count.filtered(other);
      if (total <= (elsewhere ? 0 : from.total)) continue;
      found.set(key, { label: labelOf(other, elsewhere), total, query: queryOf(other, carried(from.search, other.filter)) });
      return;
    }
  };

  const around = (place = filter.place) => (place ? aroundOf(place) : []);
  const places = [filter.place, ...around()];
  const at = (place: ListingFilter['place'], rest: Omit<ListingFilter, 'place'>): ListingFilter => (place ? { ...rest, place } : rest);
  // Others are lists of places: how far somebody is counts in none of them.
  const { place: _, near: __, serves: ___, ...placeless } = filter;
  const { category: ____, ...bare } = placeless;

  const unfiltered = isFiltered(from.search) ? await count.unfiltered(attempt) : 0;
  if (unfiltered > from.total) {
    found.set('', { label: `${labelOf(attempt)}, without the filters`, total: unfiltered, query: queryOf(attempt) });
  }
  const { near } = filter;
  // Further away, and then everywhere.
  if (near) {
    const further = distances.filter((km) => km > near.km).map((km) => ({ filter: { ...filter, near: { ...near, km } }, words }));
    await addFirst([...further, { filter: placeless, words }]);
  }
  await addFirst(around().map((place) => ({ filter: at(place, placeless), words })));
  if (words && filter.category) await addFirst(places.map((place) => ({ filter: at(place, placeless), words: '' })));
  if (words && filter.category) await addFirst(places.map((place) => ({ filter: at(place, bare), words })));
  await addFirst(from.attempts);
  for (const place of from.namesakes) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await addFirst([{ filter: at(place, placeless), words }], true);
  }
  if (found.size === 0) await addFirst(places.map((place) => ({ filter: at(place, bare), words: '' })));
  return [...[...found.values()].slice(0, mostAlternatives), ...comes];
}

// A page that is full has enough to choose from.
const fullPage = pageSize;

/** Those based elsewhere who come to the place that is searched. */
async function thoseWhoCome(
  { filter, words }: Attempt,
  { total, search }: { total: number; search: FindQuery },
  count: (other: Search) => Promise<number>,
): Promise<Alternative[]> {
  const { place, near, serves } = filter;
  if (total >= fullPage || words || near || serves || !place || place.level === 'country' || isFiltered(search)) return [];
  const others: Search = { filter: { ...filter, serves: true }, words };
  const more = await count(others);
  return more > 0 ? [{ label: labelOf(others), total: more, query: queryOf(others) }] : [];
}

const isFiltered = ({ minRating, verified, photos, replied, maxPrice }: FindQuery) =>
  [minRating, verified, photos, replied, maxPrice].some((choice) => choice !== undefined);

/** What of a search goes on in others: how the found ones are chosen and ordered. */
export const carried = ({ sort, near, minRating, verified, photos, replied, maxPrice }: FindQuery, filter: ListingFilter) => ({
  ...(filter.near && { near, km: String(filter.near.km) }),
  sort: sort === 'nearest' ? undefined : sort,
  minRating,
  verified,
  photos,
  replied,
  maxPrice: maxPrice?.toString(),
});
