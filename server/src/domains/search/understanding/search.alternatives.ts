import type { FindPage, FindQuery } from '@handwise/contract/search/calls';
import { type FilterName, filterNames, searchFilters } from '@handwise/contract/search/filters';
import type { SearchFilter, Search } from '../index/search.index.ts';
import { type Attempt, listAreasAround, toPlainSearch } from './search.attempts.ts';
import { describePlace, describeSearch, preservedParams, toQueryString } from './search.views.ts';

type Alternative = NonNullable<FindPage['alternatives']>[number];
type Place = Pick<SearchFilter, 'place' | 'near'>;

/** A page with fewer results offers alternatives. */
const fewResults = 3;
const maxAlternatives = 6;
/** "Verified", "Price from up to $50" */
function nameChoice(name: FilterName, value: unknown): string {
  const filter = searchFilters[name];
  return filter.type === 'flag' ? filter.label : `${filter.label} ${filter.choiceLabel(String(value))}`;
}

const widerRadiiKm = [50, 100, 200];

/**
 * Alternatives with their totals: other places of the same name, and for few results searches that find more: without filters, further away, in larger
 * areas, without words, without the category.
 */
export async function listAlternatives(
  attempt: Search,
  from: { attempts: readonly Attempt[]; namesakes: readonly Place[]; total: number; search: FindQuery },
  count: (other: Search) => Promise<number>,
): Promise<Alternative[]> {
  const { filter, words } = attempt;
  const found = new Map<string, Alternative>();
  const toKey = (one: Search) => JSON.stringify([one.filter, one.words]);
  const values = filter.values && { values: filter.values };
  /** Adds the first of these that finds more than the search; for another place or subject, the first that finds anything. */
  const addFirst = async (others: readonly Search[], { isOther = false, isNamesake = false } = {}) => {
    if (found.size >= maxAlternatives) return;
    for (const other of others) {
      const key = toKey(other);
      if (key === toKey(attempt) || found.has(key)) continue;
      // oxlint-disable-next-line no-await-in-loop -- stops at the first that finds more
      const total = await count(other);
      if (total <= (isOther ? 0 : from.total)) continue;
      const query = toQueryString(other, preservedParams(from.search));
      found.set(key, {
        label: isNamesake ? describePlace(other.filter) : describeSearch(other, isOther),
        total,
        query,
        ...(isNamesake && { isNamesake }),
      });
      return;
    }
  };

  const { place, near, ...placeless } = filter;
  const { category, ...anyCategory } = placeless;
  for (const one of from.namesakes) {
    // oxlint-disable-next-line no-await-in-loop -- keeps their order
    await addFirst([{ filter: { ...placeless, ...one }, words }], { isOther: true, isNamesake: true });
  }
  if (from.total < fewResults) {
    const own: Place = { ...(place && { place }), ...(near && { near }) };
    const around: Place[] = listAreasAround(filter).map((area) => ({ place: area }));
    const { values: _, ...unfiltered } = filter;
    const chosen = filterNames.filter((name) => from.search[name] !== undefined);
    // Of several filters, what the search finds without each.
    for (const name of chosen.length > 1 ? chosen.slice(0, maxAlternatives - 1) : []) {
      const { [name]: without, ...kept } = filter.values ?? {};
      const one = { filter: { ...filter, values: kept }, words };
      // oxlint-disable-next-line no-await-in-loop -- shares the time limit of the request
      const total = await count(one);
      const query = toQueryString(one, preservedParams({ ...from.search, [name]: undefined }));
      if (total > from.total) found.set(name, { label: `${describeSearch(one)}, without “${nameChoice(name, without)}”`, total, query });
    }
    if (chosen.length > 0) {
      const total = await count({ filter: unfiltered, words });
      const one = { filter: unfiltered, words };
      if (total > from.total) found.set('', { label: `${describeSearch(one)}, without the filters`, total, query: toQueryString(one) });
    }
    if (near)
      await addFirst(widerRadiiKm.filter((km) => km > near.km).map((km) => ({ filter: { ...filter, near: { ...near, km } }, words })));
    await addFirst(around.map((one) => ({ filter: { ...placeless, ...one }, words })));
    if (near && near.locality === undefined && around.length === 0) await addFirst([{ filter: placeless, words }]);
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...placeless, ...one }, words: '' })));
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...anyCategory, ...one }, words })));
    await addFirst(
      from.attempts.map((one) => toPlainSearch(one, one)).map((one) => ({ filter: { ...one.filter, ...values }, words: one.words })),
    );
    if (found.size === 0) await addFirst([own, ...around].map((one) => ({ filter: { ...anyCategory, ...one }, words: '' })));
  }
  return [...found.values()].slice(0, maxAlternatives);
}
