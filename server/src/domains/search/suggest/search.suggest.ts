import { type Category, type SubCategory, browseCategories, categories, findCategoryByCode } from '@handwise/contract/listings/categories';
import { markets, type CountryCode } from '@handwise/contract/markets';
import { findDistrictByCode, findRegionByCode } from '@handwise/contract/places/regions';
import { type Suggestion, maxSuggestions } from '@handwise/contract/search/suggest';
import { type TradeWord, findTrade, tradeKinds, trades } from '@handwise/contract/search/trades';
import { isCountryShown, isTradeShown } from '@handwise/contract/site/open';
import { type Place, listPlacesByPrefix } from '../../places/places.service.ts';
import type { NameSuggestion } from '../index/search.index.ts';
import { toNameStart } from '../index/search.terms.ts';
import type { SearchParts } from '../search.pages.ts';

const toQuery = (parts: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(parts).filter((part): part is [string, string] => Boolean(part[1]))).toString();

type NamedCategory = { label: string; detail: string; parts: Record<string, string>; start: string; of?: string | undefined };

/** A closed trade without listings is not suggested. */
const isOffered = ({ parts, of }: NamedCategory) => isTradeShown(parts['category'] ?? of ?? '');

const toNamed = (label: string, detail: string, parts: Record<string, string>, words = label): NamedCategory => ({
  label,
  detail,
  parts,
  start: toNameStart(words),
});

const nameGroup = ({ name, slug }: Category, words?: string) => toNamed(name, '', { category: slug }, words);
// Names of sub-categories that need their group: "Residential" is building in one group and cleaning in another.
const ambiguousNames = new Set(['Residential', 'Commercial']);
const labelSubCategory = ({ name }: SubCategory, group: Category) =>
  ambiguousNames.has(name) ? `${name} ${group.name.split(' ')[0]?.toLowerCase()}` : name;
const nameSubCategory = (sub: SubCategory, group: Category, words?: string) =>
  toNamed(labelSubCategory(sub, group), group.name, { category: group.slug, subCategory: sub.slug }, words);
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// In the order of the pages that list them.
const orderedGroups = [...browseCategories, ...categories.filter((one) => !browseCategories.includes(one))];
const groupNames = orderedGroups.map((group) => nameGroup(group));
const subNames = orderedGroups.flatMap((group) =>
  group.subCategories.filter(({ name }) => name !== group.name).map((sub) => nameSubCategory(sub, group)),
);

/** The categories of a trade, found by these words. A trade within a category is searched by its own name. */
function nameTrade({ trade: { category, subCategories }, words, kind }: TradeWord): NamedCategory[] {
  const [sub] = subCategories;
  if (kind === 'narrower' || kind === 'apart')
    return [{ ...toNamed(upperFirst(words), sub?.name ?? category?.name ?? '', { q: words }, words), of: category?.slug }];
  if (category && sub) return [nameSubCategory(sub, category, words)];
  if (category) return [nameGroup(category, words)];
  // A sub-category of two groups means both.
  return sub ? [toNamed(sub.name, '', { subCategory: sub.slug }, words)] : [];
}

const tradeNames = trades.flatMap((trade) =>
  tradeKinds.flatMap((kind) => trade[kind].flatMap((words) => nameTrade({ trade, words, kind }))),
);

/**
 * Distinct groups and sub-categories with a name that begins with `start`, then those with a word that does, then those of trades. Each keeps
 * `where`.
 */
function suggestCategories(start: string, where?: string): Suggestion[] {
  if (!start) return [];
  const begins = (one: NamedCategory) => one.start.startsWith(start);
  const names = [...groupNames, ...subNames];
  const byName = [...names.filter(begins), ...names.filter((one) => !begins(one) && one.start.includes(` ${start}`))];
  // Finds other spellings too, such as "sparkies" and "lawnmowing".
  const meant = findTrade(start.split(' '));
  // Two letters match dozens of trades.
  const ofTrades = [...(meant ? nameTrade(meant) : []), ...(start.length > minPlaceLetters ? tradeNames.filter(begins) : [])];
  const own = new Set(byName.map(({ label }) => label));
  const found = [...byName, ...ofTrades.filter(({ label, parts }) => parts['category'] || !own.has(label))].filter(isOffered);
  const byQuery = new Map(found.map(({ label, detail, parts }) => [toQuery({ ...parts, where }), { label, detail }]));
  return [...byQuery].map(([query, { label, detail }]) => ({ kind: 'category', label, detail, query }));
}

/** One letter would match too many places. */
const minPlaceLetters = 2;

/** The detail distinguishes places of one name: region and, if needed, postcode; for a region its country. */
export function suggestPlace({ kind, name, label, country, regionCode, districtCode, alsoCalled }: Place): Suggestion {
  const region = regionCode === undefined ? undefined : findRegionByCode(regionCode)?.slug;
  const district = districtCode === undefined ? undefined : findDistrictByCode(districtCode)?.slug;
  return {
    kind: 'place',
    label: alsoCalled === undefined ? name : `${alsoCalled} (${name})`,
    detail: kind === 'region' ? markets[country].name : label.slice(name.length + 2),
    query: kind === 'town' ? toQuery({ where: label }) : toQuery({ country, region, district }),
  };
}

const suggestName = (kind: 'business' | 'listing', label: string, detail: string, where?: string): Suggestion => ({
  kind,
  label,
  detail,
  query: toQuery({ q: label, where, raw: '1' }),
});

/** The detail distinguishes businesses of one name: their category and, with a single listing, its place. */
function suggestBusiness({ label, listings, categoryCode, districtCode }: NameSuggestion, where?: string): Suggestion {
  const place = listings === 1 ? findDistrictByCode(districtCode)?.name : undefined;
  return suggestName('business', label, [findCategoryByCode(categoryCode)?.name, place].filter(Boolean).join(', '), where);
}

const suggestTitle = ({ label, businessTitle }: NameSuggestion, where?: string) => suggestName('listing', label, businessTitle, where);

const sharePerKind = { category: 4, business: 3, listing: 2, place: 2 } as const;

/** At most `maxSuggestions` of all kinds in order. Each kind has a share; what one does not need goes to the others. */
function mixKinds(found: Record<Suggestion['kind'], readonly Suggestion[]>): Suggestion[] {
  const kinds = ['category', 'business', 'listing', 'place'] as const;
  const taken = new Set(kinds.flatMap((kind) => found[kind].slice(0, sharePerKind[kind])).slice(0, maxSuggestions));
  for (const one of kinds.flatMap((kind) => found[kind])) if (taken.size < maxSuggestions) taken.add(one);
  return kinds.flatMap((kind) => found[kind].filter((one) => taken.has(one)));
}

const allCountries = Object.keys(markets) as CountryCode[];

/** The only country whose places are suggested; null for all. A host's own is, even without listings. */
function findOnlyCountry(market: CountryCode | null): CountryCode | null {
  const [first = null, ...others] = allCountries.filter(isCountryShown);
  return market ?? (others.length === 0 ? first : null);
}

// Towns are left out: lists have filters for regions and districts only.
const suggestAreas = (start: string, market: CountryCode | null) =>
  (start.length < minPlaceLetters ? [] : listPlacesByPrefix(start, findOnlyCountry(market), maxSuggestions))
    .filter(({ kind }) => kind === 'region' || kind === 'district')
    .map(suggestPlace);

/**
 * Suggestions for what is typed in `q`, or in `where` if `q` is empty, within a market (null: all markets).
 */
export async function listSuggestions(
  { index }: SearchParts,
  { q = '', where = '', country }: { q?: string | undefined; where?: string | undefined; country?: CountryCode | undefined },
  market: CountryCode | null,
): Promise<Suggestion[]> {
  if (!q) return listPlacesByPrefix(where, findOnlyCountry(market), maxSuggestions, country).map(suggestPlace);
  const start = toNameStart(q);
  if (!start) return [];
  const countries = market ? [market] : allCountries;
  const limited = index.withTimeLimit();
  const [businesses, titles] = await Promise.all([
    limited.listNames('business', start, countries, maxSuggestions),
    limited.listNames('listing', start, countries, maxSuggestions),
  ]);
  return mixKinds({
    category: suggestCategories(start, where),
    business: businesses.map((one) => suggestBusiness(one, where)),
    listing: titles.map((one) => suggestTitle(one, where)),
    place: where ? [] : suggestAreas(start, market),
  });
}
