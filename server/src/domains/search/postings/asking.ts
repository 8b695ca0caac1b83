import { priceChoices, ratingChoices } from '@handwise/contract/search-filters';
import type { FindPage } from '@handwise/contract/search';
import { type Evidence, boundsOf, cutOf } from '../orders/search.evidence.ts';
import type { ListingFilter, Order } from '../search.rules.ts';
import { type Meaning, type Names, meaningOfFewLetters, namesOf } from '../words/search.words.rules.ts';
import { facetKey } from './keys.ts';
import type { AskedEvidence, AskedRings, AskedSearch, ChoiceCounts } from './query.ts';

const flagPlanes = { verified: 4, photos: 5, replied: 6 } as const;

function askedEvidence(evidence: Evidence): AskedEvidence {
  const cut = cutOf(evidence);
  return {
    rating: evidence.minRating ? ratingChoices.indexOf(evidence.minRating) + 1 : 0,
    flags: (['verified', 'photos', 'replied'] as const).filter((flag) => evidence[flag]).map((flag) => flagPlanes[flag]),
    price: evidence.maxPrice === undefined ? null : boundsOf(evidence).price,
    cut: cut === undefined ? null : cut * 100,
  };
}

function facetsOfCategory({ category }: ListingFilter): number[][] {
  if (!category) return [];
  if (category.level === 'main') return [[facetKey('main', category.main)]];
  return [category.level === 'group' ? [facetKey('category', category.code)] : category.codes.map((code) => facetKey('sub', code))];
}

function facetsOfPlace({ place }: ListingFilter): number[][] {
  if (!place || place.level === 'town') return [];
  return [[place.level === 'country' ? facetKey('country', place.country) : facetKey(place.level, place.code)]];
}

/** A searched word as it is typed, with the categories that have it in their names. */
export type Typed = Names & { typed: string };

/** A searched word as it is asked for: of one of few letters its beginning says everything. */
export const askedWord = (typed: string): Meaning | Typed => meaningOfFewLetters(typed) ?? { typed, ...namesOf(typed) };

/** A search as the postings take it; `meanings` of its words, `rings` where distances are asked for. */
export function asked(
  { meanings, filter, rings }: { meanings: readonly (Meaning | Typed)[]; filter: ListingFilter; rings: AskedRings | null },
  { order, byWorth, skip, take, choicesUpTo }: { order: Order; byWorth: boolean; skip: number; take: number; choicesUpTo: number },
): AskedSearch {
  return {
    words: meanings.map(({ categoryCodes, subCodes, ...word }) => ({
      ...word,
      facets: [...categoryCodes.map((code) => facetKey('category', code)), ...subCodes.map((code) => facetKey('sub', code))],
    })),
    facets: [...facetsOfCategory(filter), ...(rings ? [] : facetsOfPlace(filter))],
    cell: !rings && filter.place?.level === 'town' ? filter.place.code : null,
    evidence: askedEvidence(filter.evidence ?? {}),
    rings,
    order,
    byWorth,
    skip,
    take,
    choicesUpTo,
  };
}

/** How many each choice would leave, as answers tell it. */
export const facetsOfChoices = ({ rating, flags, price }: ChoiceCounts): NonNullable<FindPage['facets']> => ({
  minRating: ratingChoices.map((value, index) => ({ value, total: rating[index] ?? 0 })),
  verified: flags[flagPlanes.verified - 4] ?? 0,
  photos: flags[flagPlanes.photos - 4] ?? 0,
  replied: flags[flagPlanes.replied - 4] ?? 0,
  maxPrice: priceChoices.map((value, index) => ({ value, total: price[index] ?? 0 })),
});
