import { readStored, recentSearchesKey, removeStored, writeStored } from '../../../lib/browser-storage.ts';

/** A search that was made in this browser. */
export type RecentSearch = { q: string; where: string };

export const mostRecentSearches = 8;
const longest = 120;

const formatIs = (value: unknown): value is string => typeof value === 'string' && value.length <= longest;
const same = (one: RecentSearch, other: RecentSearch) =>
  one.q.toLowerCase() === other.q.toLowerCase() && one.where.toLowerCase() === other.where.toLowerCase();

/** The valid entries of the stored list, which may have been changed by other scripts. */
export function parseRecent(stored: string | null): RecentSearch[] {
  try {
    const list: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(list)) return [];
    return list
      .flatMap((one: Partial<RecentSearch> | null) =>
        formatIs(one?.q) && one.q && formatIs(one.where) ? [{ q: one.q, where: one.where }] : [],
      )
      .slice(0, mostRecentSearches);
  } catch {
    return [];
  }
}

/** The searches with this one first, without duplicates and the oldest beyond the limit. */
export const withRecent = (searches: readonly RecentSearch[], made: RecentSearch) =>
  [made, ...searches.filter((one) => !same(one, made))].slice(0, mostRecentSearches);

const withoutRecent = (searches: readonly RecentSearch[], removed: RecentSearch) => searches.filter((one) => !same(one, removed));

/** The recent searches for a text: all if it is empty, else those that begin with it. */
export const filterRecentSearches = (searches: readonly RecentSearch[], typed: string) => {
  const start = typed.trim().toLowerCase();
  return searches.filter(({ q }) => q.toLowerCase().startsWith(start) && q.toLowerCase() !== start);
};

export const readRecent = () => parseRecent(readStored(recentSearchesKey));

function store(searches: readonly RecentSearch[]) {
  if (searches.length > 0) writeStored(recentSearchesKey, JSON.stringify(searches));
  else removeStored(recentSearchesKey);
}

/** Stores a search in this browser unless it is blank. */
export function saveRecentSearch({ q, where }: RecentSearch) {
  const made = { q: q.trim().slice(0, longest), where: where.trim().slice(0, longest) };
  if (made.q) store(withRecent(readRecent(), made));
}

export const deleteRecentSearch = (removed: RecentSearch) => store(withoutRecent(readRecent(), removed));
export const deleteRecentSearches = () => store([]);
