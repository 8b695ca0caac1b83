import type { FindPage, FindQuery } from '@handwise/contract/search/calls';
import { filterNames } from '@handwise/contract/search/filters';
import type { Search, SearchFilter } from '../index/search.index.ts';
import { areasAround, type Attempt } from './search.attempts.ts';
import { carried, labelOf, queryOf } from './search.views.ts';

type Alternative = FindPage['alternatives'][number];
type Place = Pick<SearchFilter, 'place' | 'near'>;

// Below so many results other searches are offered too.
export const few = 3;
const mostAlternatives = 6;
const distances = [50, 100, 200];

/** The same search in ever wider places. */
function furtherAway({ filter, words }: Search): Search[] {
  const { place: _, near, ...placeless } = filter;
  const wider = near ? distances.filter((km) => km > near.km).map((km) => ({ near: { ...near, km } })) : [];
  return [...wider, ...areasAround(filter).map((place) => ({ place }))].map((one) => ({ filter: { ...placeless, ...one }, words }));
}

/**
 * Other places of the name that was typed; what was meant further away, where less is shown; and what finds more than a search that finds little, each
 * with its number: the same without filters, further away, around, without the words, without the category. `meant`: the search before it was widened.
 */
export async function alternativesTo(
  attempt: Search,
  from: { attempts: readonly Attempt[]; meant: Search | undefined; namesakes: readonly Place[]; total: number; search: FindQuery },
  count: (other: Search) => Promise<number>,
): Promise<Alternative[]> {
  const { filter, words } = attempt;
  const found = new Map<string, Alternative>();
  const keyOf = (one: Search) => JSON.stringify([one.filter, one.words]);
  const values = filter.values && { values: filter.values };
  /** Adds the first of these that finds more; of other subjects and places the first that finds any. */
  const addFirst = async (others: readonly Search[], { isOther = false, isNamesake = false } = {}) => {
    if (found.size >= mostAlternatives) return;
    for (const other of others) {
      const key = keyOf(other);
      if (key === keyOf(attempt) || found.has(key)) continue;
      // oxlint-disable-next-line no-await-in-loop -- the nearest that finds more is enough: the wider ones are not counted
      const total = await count(other);
      if (total <= (isOther ? 0 : from.total)) continue;
      const query = queryOf(other, carried(from.search));
      found.set(key, { label: labelOf(other, isOther), total, query, ...(isNamesake && { isNamesake }) });
      return;
    }
  };

  const { place, near, ...placeless } = filter;
  const { category, ...bare } = placeless;
  for (const one of from.namesakes) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await addFirst([{ filter: { ...placeless, ...one }, words }], { isOther: true, isNamesake: true });
  }
  if (from.meant) await addFirst(furtherAway(from.meant), { isOther: true });
  if (from.total < few) {
    const own: Place = { ...(place && { place }), ...(near && { near }) };
    const around: Place[] = areasAround(filter).map((area) => ({ place: area }));
    const { values: _, ...unfiltered } = filter;
    if (filterNames.some((name) => from.search[name] !== undefined)) {
      const total = await count({ filter: unfiltered, words });
      const one = { filter: unfiltered, words };
      if (total > from.total) found.set('', { label: `${labelOf(one)}, without the filters`, total, query: queryOf(one) });
    }
    if (near) await addFirst(distances.filter((km) => km > near.km).map((km) => ({ filter: { ...filter, near: { ...near, km } }, words })));
    await addFirst(around.map((one) => ({ filter: { ...placeless, ...one }, words })));
    if (near && near.locality === undefined && around.length === 0) await addFirst([{ filter: placeless, words }]);
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...placeless, ...one }, words: '' })));
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...bare, ...one }, words })));
    await addFirst(from.attempts.map((one) => ({ filter: { ...one.filter, ...values }, words: one.words })));
    if (found.size === 0) await addFirst([own, ...around].map((one) => ({ filter: { ...bare, ...one }, words: '' })));
  }
  return [...found.values()].slice(0, mostAlternatives);
}
