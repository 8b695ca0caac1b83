const at = <T>(items: readonly T[], index: number) => items[index];

/** Maximum edit distance for a word of this length. Short words are one letter away from too many others. */
export const getMaxEditDistance = (word: string) => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

/**
 * Number of letters to insert, delete, replace or swap with their neighbour to turn one word into the other (optimal string alignment).
 */
export function computeEditDistance(typed: string, meant: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: meant.length + 1 }, (_, index) => index);
  for (let i = 1; i <= typed.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= meant.length; j += 1) {
      const replaced = (at(previous, j - 1) ?? 0) + (typed[i - 1] === meant[j - 1] ? 0 : 1);
      let best = Math.min(replaced, (at(previous, j) ?? 0) + 1, (at(current, j - 1) ?? 0) + 1);
      const swapped = i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
      if (swapped) best = Math.min(best, (at(beforePrevious, j - 2) ?? 0) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, meant.length) ?? 0;
}
