import type { Suggestion } from '@handwise/contract/search/suggest';
import { type RecentSearch, filterRecentSearches } from './recent-searches.ts';

export type ComboboxChoice = Suggestion | { kind: 'recent'; label: string; detail: string; query: string; search: RecentSearch };

const recentChoice = (search: RecentSearch): ComboboxChoice => ({
  kind: 'recent',
  label: search.q,
  detail: search.where,
  query: new URLSearchParams({ q: search.q, ...(search.where && { where: search.where }) }).toString(),
  search,
});

// Beside suggestions, only the last few recent searches with this prefix.
const fewRecent = 2;

/** The choices of a field: recent searches, then suggestions without duplicates. */
export function listComboboxChoices(
  typed: string,
  searches: readonly RecentSearch[],
  suggestions: readonly Suggestion[],
): ComboboxChoice[] {
  if (!typed.trim()) return searches.map(recentChoice);
  const recent = filterRecentSearches(searches, typed).slice(0, fewRecent);
  const recentTexts = new Set(recent.map(({ q }) => q.toLowerCase()));
  return [...recent.map(recentChoice), ...suggestions.filter(({ label }) => !recentTexts.has(label.toLowerCase()))];
}

/** The field's text after a choice; a place includes its region, because several places share a name. */
export const getChoiceText = ({ kind, label, detail }: ComboboxChoice) => (kind === 'place' && detail ? `${label}, ${detail}` : label);

/** The announcement for screen readers. */
export function describeChoiceCount(count: number, removable: number): string {
  const status = count === 0 ? 'No suggestions' : count === 1 ? '1 suggestion' : `${count} suggestions`;
  return removable > 0 ? `${status}. Press Delete on a recent search to remove it` : status;
}
