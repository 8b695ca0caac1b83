import type { Region } from '@handwise/contract/places/regions';
import { regions } from '@handwise/contract/places/regions';

// Which regions border on which, each pair once, by their codes.
const borders: readonly (readonly [number, number])[] = [
  [1, 2],
  [2, 3],
  [3, 4],
  [3, 6],
  [3, 7],
  [3, 8],
  [4, 5],
  [4, 6],
  [5, 6],
  [6, 8],
  [7, 8],
  [8, 9],
  [10, 11],
  [10, 12],
  [10, 13],
  [10, 14],
  [11, 12],
  [12, 14],
  [13, 14],
  [13, 15],
  [13, 16],
  [14, 15],
  [15, 16],
  [17, 18],
  [17, 19],
  [17, 20],
  [17, 24],
  [18, 20],
  // Over Bass Strait.
  [18, 22],
  [19, 20],
  [19, 23],
  [20, 21],
  [20, 23],
  [21, 23],
];

/** The regions that border on one, in the order of the list. */
export const neighboursOf = ({ code }: Region): Region[] =>
  regions.filter((other) => borders.some(([one, two]) => (one === code && two === other.code) || (two === code && one === other.code)));
