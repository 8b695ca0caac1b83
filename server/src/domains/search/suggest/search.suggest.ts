import { type Category, type SubCategory, browseCategories, categories, categoryOfCode } from '@handwise/contract/listings/categories';
import { markets, type CountryCode } from '@handwise/contract/markets';
import { districtOfCode, regionOfCode } from '@handwise/contract/places/regions';
import { type Suggestion, maxSuggestions } from '@handwise/contract/search/suggest';
import { fold } from '@handwise/contract/text';
import { type TradeWord, tradeOf, trades } from '@handwise/contract/search/trades';
import { type Place, listPlacesByPrefix } from '../../places/places.service.ts';
import type { StartingName } from '../index/search.index.ts';
import type { SearchParts } from '../search.pages.ts';

/** How a name that is begun so begins, as `suggestion_start` of the database has it. Empty where there is neither letter nor digit. */
const startOf = (typed: string) => {
  const words = fold(typed)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return [...words.join(' ')].slice(0, 60).join('').trimEnd();
};

const queryOf = (parts: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]))).toString();

type Named = { label: string; detail: string; parts: Record<string, string>; start: string };

const named = (label: string, detail: string, parts: Record<string, string>, words = label): Named => ({
  label,
  detail,
  parts,
  start: startOf(words),
});

const groupNamed = ({ name, slug }: Category, words?: string) => named(name, '', { category: slug }, words);
// "Residential" is building in one group and cleaning in another: alone it would say too little in the field.
const saysTooLittle = new Set(['Residential', 'Commercial']);
const labelOf = ({ name }: SubCategory, group: Category) =>
  saysTooLittle.has(name) ? `${name} ${group.name.split(' ')[0]?.toLowerCase()}` : name;
const subNamed = (sub: SubCategory, group: Category, words?: string) =>
  named(labelOf(sub, group), group.name, { category: group.slug, subCategory: sub.slug }, words);
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// Groups first, in the order in which they are shown, then what they are divided into.
const browsed = [...browseCategories, ...categories.filter((one) => !browseCategories.includes(one))];
const groupNames = browsed.map((group) => groupNamed(group));
const subNames = browsed.flatMap((group) =>
  group.subCategories.filter(({ name }) => name !== group.name).map((sub) => subNamed(sub, group)),
);

/** Where the listings of a trade stand, found by these words. A trade within another is searched by its own name. */
function tradeNamed({ trade: { category, subCategories }, words, kind }: TradeWord): Named[] {
  const [sub] = subCategories;
  if (kind === 'narrower') return [named(upperFirst(words), sub?.name ?? category?.name ?? '', { q: words }, words)];
  if (category && sub) return [subNamed(sub, category, words)];
  if (category) return [groupNamed(category, words)];
  // Of a name that two groups have, both are meant.
  return sub ? [named(sub.name, '', { subCategory: sub.slug }, words)] : [];
}

const tradeNames = trades.flatMap((trade) =>
  (['who', 'what', 'narrower'] as const).flatMap((kind) => trade[kind].flatMap((words) => tradeNamed({ trade, words, kind }))),
);

/**
 * Groups and sub-categories of which a word begins so, those that begin so as a whole first, and those for which households have a
 * name that begins so. Each stands once, and `where` stays what it is.
 */
function categoriesStarting(start: string, where?: string): Suggestion[] {
  if (!start) return [];
  const begins = (one: Named) => one.start.startsWith(start);
  const names = [...groupNames, ...subNames];
  const byName = [...names.filter(begins), ...names.filter((one) => !begins(one) && one.start.includes(` ${start}`))];
  // "Sparkies" and "lawnmowing" are in the table under other spellings.
  const meant = tradeOf(start.split(' '));
  // With two letters dozens of them begin.
  const ofTrades = [...(meant ? tradeNamed(meant) : []), ...(start.length > fewestLetters ? tradeNames.filter(begins) : [])];
  const own = new Set(byName.map(({ label }) => label));
  const found = [...byName, ...ofTrades.filter(({ label, parts }) => parts['category'] || !own.has(label))];
  const byQuery = new Map(found.map(({ label, detail, parts }) => [queryOf({ ...parts, where }), { label, detail }]));
  return [...byQuery].map(([query, { label, detail }]) => ({ kind: 'category', label, detail, query }));
}

/** Places are suggested beside what is needed from so many letters on: with one nearly all of them begin. */
const fewestLetters = 2;

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

const nameSuggestion = (kind: 'business' | 'listing', label: string, detail: string, where?: string): Suggestion => ({
  kind,
  label,
  detail,
  query: queryOf({ q: label, where, raw: '1' }),
});

/** A business is told from others of its name by what it does and, where it has one listing, by where that is. */
function businessSuggestion({ label, listings, categoryCode, districtCode }: StartingName, where?: string): Suggestion {
  const place = listings === 1 ? districtOfCode(districtCode)?.name : undefined;
  return nameSuggestion('business', label, [categoryOfCode(categoryCode)?.name, place].filter(Boolean).join(', '), where);
}

const titleSuggestion = ({ label, businessTitle }: StartingName, where?: string) => nameSuggestion('listing', label, businessTitle, where);

const shares = { category: 4, business: 3, listing: 2, place: 2 } as const;

/** At most `maxSuggestions` of all kinds, in their order: each kind has its share, and what one leaves the others take. */
function arranged(found: Record<Suggestion['kind'], readonly Suggestion[]>): Suggestion[] {
  const kinds = ['category', 'business', 'listing', 'place'] as const;
  const taken = new Set(kinds.flatMap((kind) => found[kind].slice(0, shares[kind])).slice(0, maxSuggestions));
  for (const one of kinds.flatMap((kind) => found[kind])) if (taken.size < maxSuggestions) taken.add(one);
  return kinds.flatMap((kind) => found[kind].filter((one) => taken.has(one)));
}

const allCountries = Object.keys(markets) as CountryCode[];

// Beside what is needed, of places only those that a list is narrowed to by themselves.
const areasStarting = (start: string, market: CountryCode | null) =>
  (start.length < fewestLetters ? [] : listPlacesByPrefix(start, market, maxSuggestions))
    .filter(({ kind }) => kind === 'region' || kind === 'district')
    .map(placeSuggestion);

/**
 * What a text that is begun so may mean: of what is needed, or without it of a place. In a market (null: in all) its places and its
 * businesses only.
 */
export async function suggestions(
  { index }: SearchParts,
  { q = '', where = '' }: { q?: string | undefined; where?: string | undefined },
  market: CountryCode | null,
): Promise<Suggestion[]> {
  if (!q) return listPlacesByPrefix(where, market, maxSuggestions).map(placeSuggestion);
  const start = startOf(q);
  if (!start) return [];
  const countries = market ? [market] : allCountries;
  const [businesses, titles] = await Promise.all([
    index.suggest('business', start, countries, maxSuggestions),
    index.suggest('listing', start, countries, maxSuggestions),
  ]);
  return arranged({
    category: categoriesStarting(start, where),
    business: businesses.map((one) => businessSuggestion(one, where)),
    listing: titles.map((one) => titleSuggestion(one, where)),
    place: where ? [] : areasStarting(start, market),
  });
}
