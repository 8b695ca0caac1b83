import { leastShown } from '@handwise/contract/funnel/words';

/** What the hidden numbers of a column sum to at least, so that their sum gives none of them away. */
const leastHiddenSum = 2 * leastShown;

/**
 * The numbers of a column with those from 1 to 4 as null. Other tables may give away the column's sum, so at least two numbers are
 * hidden or none: the smallest of the others follow until the hidden ones are two and sum to ten, zeros last.
 */
export function hideSmall(numbers: readonly number[]): (number | null)[] {
  const isSmall = (number: number) => number > 0 && number < leastShown;
  const hidden = new Set([...numbers.keys()].filter((at) => isSmall(numbers[at] ?? 0)));
  if (hidden.size === 0) return [...numbers];
  const others = [...numbers.keys()].filter((at) => !hidden.has(at)).toSorted((a, b) => rank(numbers[a]) - rank(numbers[b]));
  const sum = () => [...hidden].reduce((total, at) => total + (numbers[at] ?? 0), 0);
  for (const at of others) {
    if (hidden.size >= 2 && sum() >= leastHiddenSum) break;
    hidden.add(at);
  }
  return numbers.map((number, at) => (hidden.has(at) ? null : number));
}

const rank = (number = 0) => (number === 0 ? Number.POSITIVE_INFINITY : number);
