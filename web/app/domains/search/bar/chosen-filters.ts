import type { Filters, Market } from '../filters/search-params.ts';
import { readFilters, withSubCategory, withText, withTitle, withoutText } from '../filters/search-params.ts';
import type { Choice } from './combobox-choices.ts';

/** The search on /home that a choice of its bar stands for: a category or a place narrows what is there, anything else is searched. */
export function withChoice(filters: Filters, { kind, label, query }: Choice, market: Market): Filters {
  const chosen = readFilters(new URLSearchParams(query), market);
  if (kind === 'category' && (chosen.category || chosen.subCategory))
    return withoutText(withSubCategory(filters, chosen.category, chosen.subCategory));
  if (kind === 'place') return withoutText({ ...filters, country: chosen.country, region: chosen.region, district: chosen.district });
  return kind === 'recent' ? withText(filters, label) : withTitle(filters, label);
}
