import { categories } from '@handwise/contract/categories';
import { regionsOf } from '@handwise/contract/places';
import type { Evidence } from '../orders/search.evidence.ts';
import type { ListingFilter } from '../search.rules.ts';
import { type Meaning, wordFields } from './search.words.rules.ts';

// PostgreSQL takes a query of hundreds of words for one that matches nearly every row, and then reads them all. From so many
// forms on, a searched word is looked up form by form instead.
const wideMeaning = 32;

// A query that nothing matches.
const nothing = `'-'`;

const anyOf = (parts: readonly string[]) => (parts.length === 0 ? nothing : `(${parts.join('|')})`);
const formIn = (form: string, worth: number) => [1, 2, 3].slice(0, worth).map((field) => `'${form}.${field}'`);
const nameTokens = ({ categoryCodes, subCodes }: Pick<Meaning, 'categoryCodes' | 'subCodes'>) => [
  ...categoryCodes.map((code) => `'category:${code}'`),
  ...subCodes.map((code) => `'sub:${code}'`),
];

// How much a match is worth: the number of the last field that is needed, from the title on, to have each searched word in it.
const worths = [1, 2, 3, 4] as const;
export type Worth = (typeof worths)[number];
type ByWorth = readonly [string, string, string, string];
const byWorth = (textOf: (worth: Worth) => string): ByWorth => [textOf(1), textOf(2), textOf(3), textOf(4)];

/** A searched word within its first fields, up to the one that the worth says. */
const meantWithin = (meaning: Meaning, worth: Worth) =>
  anyOf([...meaning.forms.flatMap((form) => formIn(form, worth)), ...(worth === wordFields.length ? nameTokens(meaning) : [])]);

/**
 * Queries for the search column. `texts` ask for all narrow words within the fields of each worth, `facets` for the facets. `wide`
 * holds the words that have too many forms to stand in them: for each of their forms the same by worth, and one of them is needed. `evidence` is asked of the rows.
 */
export type WordQuery = { texts: ByWorth; facets: string; wide: readonly (readonly ByWorth[])[]; evidence?: Evidence };

/** Asks for each searched word, and for all facets. Forms hold letters and digits only. */
export function wordQuery(meanings: readonly Meaning[], filter: ListingFilter): WordQuery {
  const narrow = meanings.filter(({ forms }) => forms.length <= wideMeaning);
  const wide = meanings.filter((meaning) => !narrow.includes(meaning));
  return {
    texts: byWorth((worth) => narrow.map((meaning) => meantWithin(meaning, worth)).join('&')),
    facets: facetTokens(filter).join('&'),
    wide: wide.map((meaning) =>
      [...meaning.forms.map((form) => ({ forms: [form], categoryCodes: [], subCodes: [] })), { ...meaning, forms: [] }].map((one) =>
        byWorth((worth) => meantWithin(one, worth)),
      ),
    ),
    ...(filter.evidence && { evidence: filter.evidence }),
  };
}

/** Asks for all of these. */
export const both = (...texts: readonly string[]) => texts.filter(Boolean).join('&');

// Of more forms there are too many pairs to ask for.
const pairedForms = 8;

// Rows that have two of these: one of each half, or two of either. Shorter than all pairs, which are asked of every row that has one.
function twoOf(parts: readonly string[]): string[] {
  if (parts.length < 2) return [];
  const half = Math.ceil(parts.length / 2);
  const [some, others] = [parts.slice(0, half), parts.slice(half)];
  return [`(${anyOf(some)}&${anyOf(others)})`, ...twoOf(some), ...twoOf(others)];
}

/** How to count the listings of one searched word without visiting them all. */
export type WordCount = {
  forms: readonly string[];
  /**
   * Each form in any field, and the listings that no name of a category brings and that may have two of the forms: those are counted more than
   * once. Two of the commonest, or any of the others, which few have.
   */
  several: { each: readonly string[]; query: string } | null;
  /** The groups and sub-categories that have the word in their names: all of their listings are matches. */
  categoryCodes: readonly number[];
  subCodes: readonly number[];
  /** What to count in, null for all. */
  within: { regions: readonly number[] | null; categories: readonly number[] | null; subs: readonly number[] | null };
};

/** The counting of a search for one word, or null where the counts do not reach: several searched words, districts, what is asked of listings. */
export function wordCount(meanings: readonly Meaning[], filter: ListingFilter): WordCount | null {
  const { place, category } = filter;
  const [meaning, ...others] = meanings;
  if (filter.evidence || !meaning || others.length > 0 || meaning.forms.length > wideMeaning) return null;
  if (place && place.level !== 'country' && place.level !== 'region') return null;
  const { forms, categoryCodes, subCodes } = meaning;
  const each = forms.map((form) => anyOf(formIn(form, 3)));
  const pairs = twoOf(each.slice(0, pairedForms));
  const names = nameTokens(meaning);
  const query = both(anyOf([...pairs, ...each.slice(pairedForms)]), names.length > 0 ? `!${anyOf(names)}` : '', ...facetTokens(filter));
  return {
    forms,
    several: pairs.length > 0 ? { each, query } : null,
    categoryCodes,
    subCodes,
    within: {
      regions: place?.level === 'country' ? regionsOf(place.country).map((region) => region.code) : place ? [place.code] : null,
      categories:
        category?.level === 'group'
          ? [category.code]
          : category?.level === 'main'
            ? categories.filter((one) => one.mainCategory === category.main).map((one) => one.code)
            : null,
      subs: category?.level === 'sub' ? category.codes : null,
    },
  };
}

/** The matches of one paid rank and one worth: a stretch of the list, the newest first. */
export type Leg = { rank: number; worth: Worth; listings: number };
/** How many matches there are, and where in the order. Where not `exact`, a leg has at most so many: forms may share listings. */
export type Legs = { total: number; exact: boolean; legs: readonly Leg[] };

/** Sums of the counts by paid rank: of the searched forms within the named groups and sub-categories and elsewhere, and of all listings of the named. */
export type WordSum = { rank: number; named: boolean; all: boolean; title: number; business: number; services: number };

/** `tooMany`: what the sums count more than once outside the named groups and sub-categories. */
export function legsOf({ forms }: WordCount, sums: readonly WordSum[], tooMany: number): Legs {
  const exact = forms.length <= 1;
  const legs = ranksOf(sums).flatMap((rank) => {
    const ofRank = sums.filter((sum) => sum.rank === rank);
    const ofForms = ofRank.filter(({ all }) => !all);
    const add = (some: readonly WordSum[], field: 'title' | 'business' | 'services') => some.reduce((sum, one) => sum + one[field], 0);
    const inNamed = ofForms.filter(({ named }) => named);
    const allNamed = add(
      ofRank.filter(({ all }) => all),
      'title',
    );
    const byWords = add(inNamed, 'title') + add(inNamed, 'business') + add(inNamed, 'services');
    const byField = [add(ofForms, 'title'), add(ofForms, 'business'), add(ofForms, 'services'), exact ? allNamed - byWords : allNamed];
    return worths.map((worth) => ({ rank, worth, listings: byField[worth - 1] ?? 0 }));
  });
  const counted = sums.filter(({ all, named }) => all || !named);
  const total = counted.reduce((sum, { title, business, services }) => sum + title + business + services, 0) - tooMany;
  return { total, exact, legs: legs.filter(({ listings }) => listings > 0) };
}

const ranksOf = (sums: readonly { rank: number }[]) => [...new Set(sums.map(({ rank }) => rank))].toSorted((one, other) => other - one);

/** The query of one leg: its words within the fields of its worth, and not within those of the worth before. */
export function legText({ texts }: WordQuery, { worth }: Pick<Leg, 'worth'>): string {
  const before = texts[worth - 2];
  return both(texts[worth - 1] ?? nothing, before === undefined ? '' : `!(${before})`);
}

export const rankToken = ({ rank }: Pick<Leg, 'rank'>) => `'rank:${rank}'`;

function facetTokens({ place, category }: ListingFilter): string[] {
  const tokens: string[] = [];
  if (place) tokens.push(place.level === 'country' ? `'country:${place.country}'` : `'${place.level}:${place.code}'`);
  if (category?.level === 'main') tokens.push(`'main:${category.main}'`);
  if (category?.level === 'group') tokens.push(`'category:${category.code}'`);
  if (category?.level === 'sub') tokens.push(`(${category.codes.map((code) => `'sub:${code}'`).join('|')})`);
  return tokens;
}

/**
 * Whether to walk the list's own index and keep what matches (true), or to fetch all matches and sort them (false).
 * Walking reads about `offset + limit` divided by the share of matching listings.
 */
export function shouldWalk(matching: number, filtered: number, offset: number, limit: number): boolean {
  if (matching === 0) return false;
  const readByWalking = ((offset + limit) * filtered) / matching;
  return readByWalking < Math.min(20_000, Math.max(200, matching));
}

// So few matches are quicker fetched and sorted all at once than by their legs.
const fewMatches = 100;

/** Whether to take a page from the legs that it lies in (true), or from all matches at once. */
export const shouldTakeLegs = ({ total }: Legs, { wide }: WordQuery) => wide.length === 0 && total > fewMatches;

/** About how many of the filtered listings are of a leg's rank: as many of them as of the matches. */
export function rangeOf({ legs }: Legs, { rank }: Leg, filtered: number): number {
  const sum = (some: readonly Leg[]) => some.reduce((all, leg) => all + leg.listings, 0);
  return (filtered * sum(legs.filter((leg) => leg.rank === rank))) / sum(legs);
}
