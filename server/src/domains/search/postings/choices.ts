import { type Bits, both, countBoth, either, scratch, without } from './bits.ts';
import { kernels } from './kernels/room.ts';
import type { AskedEvidence, ChoiceCounts } from './query.ts';
import { type Segment, firstPricePlane } from './segment.ts';

export const noChoices = (): ChoiceCounts => ({ rating: [0, 0, 0, 0], flags: [0, 0, 0], price: [0, 0, 0, 0, 0, 0] });
const ratingPlanes = [0, 1, 2, 3];
const flagPlanes = [4, 5, 6];

/** Whether anything is asked of listings besides words, place and category. */
export const asksEvidence = ({ rating, flags, price }: AskedEvidence) => rating > 0 || flags.length > 0 || price !== null;

/** Of these rows those within the limit of the price. */
function withinPrice({ evidence, prices }: Segment, { price, cut }: AskedEvidence, rows: Bits): Bits {
  if (price === null) return rows;
  const within = scratch.take();
  both(within, rows, evidence[firstPricePlane + price] as Bits);
  if (cut === null) return within;
  // Whom the limit of a choice below lets through need not be looked at.
  const below = price > 0 ? (evidence[firstPricePlane + price - 1] as Bits) : null;
  const noted = scratch.take();
  if (below) without(noted, within, below);
  else noted.set(within);
  kernels.keepUpTo(noted.byteOffset, prices.byteOffset, cut + 1);
  if (!below) return noted;
  both(within, within, below);
  either(within, within, noted);
  return within;
}

/** Leaves of these rows those that pass, tells how many, and adds up what each choice would leave of them, all others as they are. */
export function keepPassing(segment: Segment, asked: AskedEvidence, rows: Bits, counts: ChoiceCounts | null): number {
  return scratch.during(() => {
    const { evidence } = segment;
    for (const plane of asked.flags) both(rows, rows, evidence[plane] as Bits);
    const unrated = withinPrice(segment, asked, rows);
    let unpriced = rows;
    if (asked.rating > 0) both((unpriced = scratch.take()), rows, evidence[asked.rating - 1] as Bits);
    const passing = scratch.take();
    const total = both(passing, unrated, unpriced);
    if (counts) {
      for (const [place, plane] of ratingPlanes.entries()) add(counts.rating, place, countBoth(evidence[plane] as Bits, unrated));
      for (const [place, plane] of flagPlanes.entries()) add(counts.flags, place, countBoth(evidence[plane] as Bits, passing));
      for (let price = 0; price < counts.price.length; price += 1)
        add(counts.price, price, countBoth(evidence[firstPricePlane + price] as Bits, unpriced));
    }
    rows.set(passing);
    return total;
  });
}

const add = (sums: number[], place: number, more: number) => {
  sums[place] = (sums[place] as number) + more;
};
