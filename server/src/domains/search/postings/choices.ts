import { type Bits, both, countFour, either, scratch, without } from './bits.ts';
import { kernels } from './kernels/room.ts';
import type { AskedEvidence, ChoiceCounts } from './query.ts';
import { type Segment, firstFlagPlane, firstPricePlane } from './segment.ts';

export const noChoices = (): ChoiceCounts => ({ rating: [0, 0, 0, 0], flags: [0, 0, 0], price: [0, 0, 0, 0, 0, 0] });

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
      const four = (of: Bits, first: number) => countFour(of, evidence[first] as Bits);
      addEach(counts.rating, four(unrated, 0));
      addEach(counts.flags, four(passing, firstFlagPlane));
      addEach(counts.price, [...four(unpriced, firstPricePlane), ...four(unpriced, firstPricePlane + 4)]);
    }
    rows.set(passing);
    return total;
  });
}

/** Of what is counted four at a time, those behind the last that anybody asks for are left out. */
function addEach(sums: number[], more: readonly number[]) {
  for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] as number) + (more[at] as number);
}
