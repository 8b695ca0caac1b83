import type { Filters, Market } from '../filters/search-params.ts';
import { readFilters, withCategory, withSubCategory, withText, withTitle, withoutText } from '../filters/search-params.ts';
import type { Choice } from './combobox-choices.ts';

/** The search on /home that a choice of its bar stands for: a category or a place narrows what is there, a name is searched. */
export function withChoice(filters: Filters, { kind, label, query }: Choice, market: Market): Filters {
  const chosen = readFilters(new URLSearchParams(query), market);
  if (kind === 'category') {
    const narrowed = withCategory(filters, chosen.category);
    return withoutText(chosen.subCategory ? withSubCategory(narrowed, chosen.category, chosen.subCategory) : narrowed);
  }
  if (kind === 'place') return withoutText({ ...filters, country: chosen.country, region: chosen.region, district: chosen.district });
  return kind === 'recent' ? withText(filters, label) : withTitle(filters, label);
}
