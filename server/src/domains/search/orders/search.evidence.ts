import { priceChoices, ratingChoices } from '@handwise/contract/search-filters';
import type { FindPage, FindQuery } from '@handwise/contract/search';

/** What listings are filtered by besides place and category. Not given: whatever it is. */
export type Evidence = {
  minRating?: (typeof ratingChoices)[number];
  verified?: true;
  photos?: true;
  replied?: true;
  /** In whole dollars. */
  maxPrice?: number;
};

/** What a search asks of listings; undefined where it asks nothing. */
export function evidenceOf(search: Pick<FindQuery, 'minRating' | 'verified' | 'photos' | 'replied' | 'maxPrice'>): Evidence | undefined {
  const { minRating, maxPrice } = search;
  const evidence: Evidence = {
    ...(minRating && { minRating }),
    ...(search.verified && { verified: true }),
    ...(search.photos && { photos: true }),
    ...(search.replied && { replied: true }),
    ...(maxPrice !== undefined && { maxPrice }),
  };
  return Object.keys(evidence).length === 0 ? undefined : evidence;
}

// How `evidence_cell` of migration 040 is put together: rating * 64 + verified * 32 + photos * 16 + replied * 8 + price.
const bits = { verified: 32, photos: 16, replied: 8 } as const;
const ratingStep = 64;
const cells = Array.from({ length: ratingStep * (ratingChoices.length + 1) }, (_, cell) => cell);
const noPrice = 7;

/** The bounds of the cells that may pass: `cell >= from`, all bits of `flags`, and its price at most `price`. */
export function boundsOf({ minRating, maxPrice, ...asked }: Evidence) {
  const rating = minRating ? ratingChoices.indexOf(minRating) + 1 : 0;
  const flags = (asked.verified ? bits.verified : 0) + (asked.photos ? bits.photos : 0) + (asked.replied ? bits.replied : 0);
  return { from: rating * ratingStep, flags, price: maxPrice === undefined ? noPrice : priceCellOf(maxPrice) };
}

// The first limit that is not below it, or what is above all limits.
function priceCellOf(maxPrice: number) {
  const index = priceChoices.findIndex((choice) => maxPrice <= choice);
  return index === -1 ? priceChoices.length : index;
}

/**
 * The limit of the price in dollars where cells alone do not say who passes: it lies between two of the offered ones, so rows of this price
 * must be asked.
 */
export const cutOf = ({ maxPrice }: Evidence): number | undefined =>
  priceChoices.some((choice) => choice === maxPrice) ? undefined : maxPrice;

const passes = (cell: number, { from, flags, price }: ReturnType<typeof boundsOf>) =>
  cell >= from && (cell & flags) === flags && (cell & noPrice) <= price;

/** All cells that may pass. */
export const cellsOf = (evidence: Evidence): number[] => cells.filter((cell) => passes(cell, boundsOf(evidence)));

/** How many listings there are in each cell. */
export type CellCount = { cell: number; listings: number };

/** How many listings pass. `counts` are of the place and category, cut at the limit of the price where that is needed. */
export const sumOf = (counts: readonly CellCount[], evidence: Evidence) => {
  const bounds = boundsOf(evidence);
  return counts.reduce((sum, { cell, listings }) => (passes(cell, bounds) ? sum + listings : sum), 0);
};

/**
 * The counts with those of the cells that a limit cuts through replaced by the counts of the listings within it, so that whole cells can be
 * summed.
 */
export function cutAt(counts: readonly CellCount[], limit: number | undefined, cut: readonly CellCount[]): readonly CellCount[] {
  if (limit === undefined) return counts;
  const price = priceCellOf(limit);
  const isCut = ({ cell }: CellCount) => (cell & noPrice) === price;
  return [...counts.filter((count) => !isCut(count)), ...cut.filter(isCut)];
}

/**
 * How many each choice would leave, all others as they are. `whole` are the counts of place and category, `counts` the same cut at the
 * limit of the price where that is needed.
 */
export function facetsOf(whole: readonly CellCount[], counts: readonly CellCount[], evidence: Evidence): NonNullable<FindPage['facets']> {
  const { maxPrice: _, ...anyPrice } = evidence;
  return {
    minRating: ratingChoices.map((value) => ({ value, total: sumOf(counts, { ...evidence, minRating: value }) })),
    verified: sumOf(counts, { ...evidence, verified: true }),
    photos: sumOf(counts, { ...evidence, photos: true }),
    replied: sumOf(counts, { ...evidence, replied: true }),
    maxPrice: priceChoices.map((value) => ({ value, total: sumOf(whole, { ...anyPrice, maxPrice: value }) })),
  };
}
