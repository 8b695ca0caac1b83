import { type Bits, clearBit, eachRow, newBits, ones, segmentWords } from './bits.ts';
import type { AskedEvidence, ChoiceCounts } from './query.ts';
import { type Segment, firstPricePlane } from './segment.ts';

export const noChoices = (): ChoiceCounts => ({ rating: [0, 0, 0, 0], flags: [0, 0, 0], price: [0, 0, 0, 0, 0, 0] });
const ratingPlanes = [0, 1, 2, 3];
const flagPlanes = [4, 5, 6];

const full = newBits().fill(0xffffffff);
const none = newBits();
const within = newBits();
const noted = newBits();
const unrated = newBits();
const unpriced = newBits();
const passing = newBits();
const places = new Uint16Array(segmentWords);

/** Whether anything is asked of listings besides words, place and category. */
export const asksEvidence = ({ rating, flags, price }: AskedEvidence) => rating > 0 || flags.length > 0 || price !== null;

/** Of these rows those within the limit of the price, and maybe others. */
function withinPrice(segment: Segment, { price, cut }: AskedEvidence, rows: Bits): Bits {
  if (price === null) return full;
  const upTo = segment.evidence[firstPricePlane + price] as Bits;
  if (cut === null) return upTo;
  const below = price > 0 ? (segment.evidence[firstPricePlane + price - 1] as Bits) : none;
  for (let at = 0; at < segmentWords; at += 1) noted[at] = (rows[at] as number) & (upTo[at] as number) & ~(below[at] as number);
  within.set(upTo);
  eachRow(noted, (row) => {
    if ((segment.prices[row] as number) - 1 > cut) clearBit(within, row);
  });
  return within;
}

/** Leaves of these rows those that pass, and adds up what each choice would leave of them, all others as they are. */
export function keepPassing(segment: Segment, asked: AskedEvidence, rows: Bits, counts: ChoiceCounts | null): void {
  const priced = withinPrice(segment, asked, rows);
  const { evidence } = segment;
  const rated = asked.rating > 0 ? (evidence[asked.rating - 1] as Bits) : full;
  const flags = asked.flags.map((plane) => evidence[plane] as Bits);
  // Where there are few matches most words have none.
  let length = 0;
  for (let at = 0; at < segmentWords; at += 1) {
    let flagged = rows[at] as number;
    if (flagged === 0) continue;
    for (const plane of flags) flagged &= plane[at] as number;
    const cheap = flagged & (priced[at] as number);
    const good = flagged & (rated[at] as number);
    rows[at] = cheap & good;
    places[length] = at;
    unrated[length] = cheap;
    unpriced[length] = good;
    passing[length] = cheap & good;
    length += 1;
  }
  if (!counts) return;
  const countOf = (plane: number, those: Bits) => countAt(evidence[plane] as Bits, those, length);
  for (const [place, plane] of ratingPlanes.entries()) add(counts.rating, place, countOf(plane, unrated));
  for (const [place, plane] of flagPlanes.entries()) add(counts.flags, place, countOf(plane, passing));
  for (let price = 0; price < counts.price.length; price += 1) add(counts.price, price, countOf(firstPricePlane + price, unpriced));
}

/** How many of those, of which the words stand at `places`, a plane has. */
function countAt(plane: Bits, those: Bits, length: number): number {
  let sum = 0;
  for (let at = 0; at < length; at += 1) {
    const word = (those[at] as number) & (plane[places[at] as number] as number);
    if (word !== 0) sum += ones(word);
  }
  return sum;
}

const add = (sums: number[], place: number, more: number) => {
  sums[place] = (sums[place] as number) + more;
};
