import type { Step } from '@handwise/proof/verify';

/** "0.4 seconds" */
const secondsText = (ms: number) => `${(ms / 1000).toFixed(1)} seconds`;

// What each step means to readers without any mathematics; the verifier’s own title stands below it.
const meanings: Record<Step['name'], string> = {
  file: 'The published file can be read',
  entries: 'Every ticket is in the list exactly once, and they add up',
  root: 'The seal fits the list',
  round: 'The random number was named before anyone could know it',
  signature: 'The random number is the one that was named, and genuine',
  winner: 'The list and the number lead to this result and no other',
  head: 'The last seal of the month’s log is signed',
  log: 'The month’s log adds up to exactly this list',
  mail: 'What your email said still holds',
  commitment: 'Nothing has changed since your earlier file',
};

export const meaningOf = ({ name }: Pick<Step, 'name'>) => meanings[name];

/** What is worth a line: not what needs something that the reader did not bring. */
export const isShown = ({ name, state }: Step) => state !== 'not-checked' || (name !== 'mail' && name !== 'commitment');

/** The verdict in words. Nothing is claimed of a result that is not out yet. */
export function verdictText({ holds, isOver, ms }: { holds: boolean; isOver: boolean; ms: number }): string {
  const found = holds
    ? isOver
      ? 'The tickets, the random number and the result all match.'
      : 'Everything published so far matches.'
    : 'This draw does not check out: see what failed below.';
  return `${found} Your browser worked this out by itself in ${secondsText(ms)}.`;
}
