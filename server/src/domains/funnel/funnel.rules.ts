import { leastShown } from '@handwise/contract/funnel/words';

/** What the hidden numbers of a column sum to at least, so that their sum gives none of them away. */
const leastHiddenSum = 2 * leastShown;

/**
 * The numbers of a column with those from 1 to 4 as null. Another table may give away the column's sum, so at least one of the others is hidden
 * too, and as many as the hidden ones need to sum to ten. They are taken from the end, zeros last: if they were the smallest, the shown ones
 * would limit them and so give away the small ones.
 */
export function hideSmall(numbers: readonly number[]): (number | null)[] {
  const isSmall = (number: number) => number > 0 && number < leastShown;
  const hidden = new Set([...numbers.keys()].filter((at) => isSmall(numbers[at] ?? 0)));
  if (hidden.size === 0) return [...numbers];
  const others = [...numbers.keys()].filter((at) => !hidden.has(at)).toReversed();
  const [first, ...more] = others.toSorted((a, b) => Number(numbers[a] === 0) - Number(numbers[b] === 0));
  if (first !== undefined) hidden.add(first);
  const sum = () => [...hidden].reduce((total, at) => total + (numbers[at] ?? 0), 0);
  for (const at of more) {
    if (sum() >= leastHiddenSum) break;
    hidden.add(at);
  }
  return numbers.map((number, at) => (hidden.has(at) ? null : number));
}
