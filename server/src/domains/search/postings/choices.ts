import { type Bits, clearBit, countBoth, eachRow, newBits, segmentWords } from './bits.ts';
import type { AskedEvidence, ChoiceCounts } from './query.ts';
import { type Segment, firstPricePlane } from './segment.ts';

export const noChoices = (): ChoiceCounts => ({ rating: [0, 0, 0, 0], flags: [0, 0, 0], price: [0, 0, 0, 0, 0, 0] });
const ratingPlanes = [0, 1, 2, 3];
const flagPlanes = [4, 5, 6];

const full = newBits().fill(0xffffffff);
const within = newBits();
const noted = newBits();
const unrated = newBits();
const unpriced = newBits();

/** Whether anything is asked of listings besides words, place and category. */
export const asksEvidence = ({ rating, flags, price }: AskedEvidence) => rating > 0 || flags.length > 0 || price !== null;

/** The rows within the limit of the price. */
function withinPrice(segment: Segment, { price, cut }: AskedEvidence): Bits {
  if (price === null) return full;
  const upTo = segment.evidence[firstPricePlane + price] as Bits;
  if (cut === null) return upTo;
  const below = price > 0 ? (segment.evidence[firstPricePlane + price - 1] as Bits) : null;
  for (let at = 0; at < segmentWords; at += 1) noted[at] = (upTo[at] as number) & ~(below?.[at] ?? 0);
  within.set(upTo);
  eachRow(noted, (row) => {
    if ((segment.prices[row] as number) - 1 > cut) clearBit(within, row);
  });
  return within;
}

/** Leaves of these rows those that pass, and adds up what each choice would leave of them, all others as they are. */
export function keepPassing(segment: Segment, asked: AskedEvidence, rows: Bits, counts: ChoiceCounts | null): void {
  const priced = withinPrice(segment, asked);
  const { evidence } = segment;
  const rated = asked.rating > 0 ? (evidence[asked.rating - 1] as Bits) : full;
  const flags = asked.flags.map((plane) => evidence[plane] as Bits);
  unrated.set(rows);
  for (const plane of flags) for (let at = 0; at < segmentWords; at += 1) unrated[at] = (unrated[at] as number) & (plane[at] as number);
  for (let at = 0; at < segmentWords; at += 1) {
    const flagged = unrated[at] as number;
    unpriced[at] = flagged & (rated[at] as number);
    unrated[at] = flagged & (priced[at] as number);
    rows[at] = flagged & (priced[at] as number) & (rated[at] as number);
  }
  if (!counts) return;
  for (const [place, plane] of ratingPlanes.entries()) add(counts.rating, place, countBoth(unrated, evidence[plane] as Bits));
  for (const [place, plane] of flagPlanes.entries()) add(counts.flags, place, countBoth(rows, evidence[plane] as Bits));
  for (let price = 0; price < counts.price.length; price += 1)
    add(counts.price, price, countBoth(unpriced, evidence[firstPricePlane + price] as Bits));
}

const add = (sums: number[], place: number, more: number) => {
  sums[place] = (sums[place] as number) + more;
};
