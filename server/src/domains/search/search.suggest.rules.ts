import { browseCategories, categories, categoryOfCode } from '@handwise/contract/categories';
import { markets } from '@handwise/contract/markets';
import { districtOfCode, regionOfCode } from '@handwise/contract/places';
import { type Suggestion, maxSuggestions } from '@handwise/contract/search-suggest';
import { fold } from '@handwise/contract/text';
import type { Place } from '../places/places.service.ts';

/** How a name that is begun so begins, as `suggestion_start` of the database has it. Empty where there is neither letter nor digit. */
export const startOf = (typed: string) => {
  const words = fold(typed)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return [...words.join(' ')].slice(0, 60).join('').trimEnd();
};

const queryOf = (parts: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]))).toString();

const named = (label: string, detail: string, parts: Record<string, string>) => ({ label, detail, parts, name: startOf(label) });

// Groups first, in the order in which they are shown, then what they are divided into.
const browsed = [...browseCategories, ...categories.filter((one) => !browseCategories.includes(one))];
const groupNames = browsed.map(({ name, slug }) => named(name, '', { category: slug }));
const subNames = browsed.flatMap((group) =>
  group.subCategories
    .filter(({ name }) => name !== group.name)
    .map((sub) => named(sub.name, group.name, { category: group.slug, subCategory: sub.slug })),
);

/** Groups and sub-categories of which a word begins so: those that begin so themselves first. `where` stays what it is. */
export function categoriesStarting(start: string, where?: string): Suggestion[] {
  if (!start) return [];
  const all = [...groupNames, ...subNames];
  const begun = all.filter(({ name }) => name.startsWith(start));
  const within = all.filter(({ name }) => !name.startsWith(start) && name.includes(` ${start}`));
  return [...begun, ...within].map(({ label, detail, parts }) => ({
    kind: 'category',
    label,
    detail,
    query: queryOf({ ...parts, where }),
  }));
}

/** A place with what tells it from others of its name: the region and where needed the postcode, of a region its country. */
export function placeSuggestion({ kind, name, label, country, regionCode, districtCode }: Place): Suggestion {
  const region = regionCode === undefined ? undefined : regionOfCode(regionCode)?.slug;
  const district = districtCode === undefined ? undefined : districtOfCode(districtCode)?.slug;
  return {
    kind: 'place',
    label: name,
    detail: kind === 'region' ? markets[country].name : label.slice(name.length + 2),
    query: kind === 'town' ? queryOf({ where: label }) : queryOf({ country, region, district }),
  };
}

/** A name of listings, as the newest of the highest paid rank has it. */
export type NameRow = { label: string; listings: number; category_code: number; district_code: number; business_title: string };

const nameSuggestion = (kind: 'business' | 'listing', label: string, detail: string, where?: string): Suggestion => ({
  kind,
  label,
  detail,
  query: queryOf({ q: label, where, raw: '1' }),
});

/** A business is told from others of its name by what it does and, where it has one listing, by where that is. */
export function businessSuggestion({ label, listings, category_code, district_code }: NameRow, where?: string): Suggestion {
  const place = listings === 1 ? districtOfCode(district_code)?.name : undefined;
  return nameSuggestion('business', label, [categoryOfCode(category_code)?.name, place].filter(Boolean).join(', '), where);
}

export const titleSuggestion = ({ label, business_title }: NameRow, where?: string) =>
  nameSuggestion('listing', label, business_title, where);

const shares = { category: 4, business: 3, listing: 2, place: 2 } as const;

/** At most `maxSuggestions` of all kinds, in their order: each kind has its share, and what one leaves the others take. */
export function arranged(found: Record<Suggestion['kind'], readonly Suggestion[]>): Suggestion[] {
  const kinds = ['category', 'business', 'listing', 'place'] as const;
  const taken = new Set(kinds.flatMap((kind) => found[kind].slice(0, shares[kind])).slice(0, maxSuggestions));
  for (const one of kinds.flatMap((kind) => found[kind])) if (taken.size < maxSuggestions) taken.add(one);
  return kinds.flatMap((kind) => found[kind].filter((one) => taken.has(one)));
}
