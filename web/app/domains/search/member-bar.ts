import type { Choice } from './bar/combobox-choices.ts';
import { changed, type FindParams, noPlace, readFind, withText } from './find/find-params.ts';

/** The search that a choice of the bar stands for: a category or a place narrows what is there, anything else is a search by itself. */
export function withChoice(params: FindParams, { kind, label, query }: Choice): FindParams {
  const chosen = readFind(new URLSearchParams(query));
  if (kind === 'recent') return withText(params, label);
  if (kind === 'category' && (chosen.category || chosen.subCategory))
    return changed(params, { q: undefined, raw: undefined, category: undefined, subCategory: undefined, ...chosen });
  if (kind === 'place') return changed(params, { ...noPlace, q: undefined, raw: undefined, ...chosen });
  return chosen;
}

/** What the bar shows of a search: both fields that visitors have, in one. */
export const barText = ({ q, where }: FindParams) => [q, where].filter(Boolean).join(' ');
