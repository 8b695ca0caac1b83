/**
 * The start of a referral code: `REF-`, the first three letters of the user name in upper case, `-`. Names with fewer
 * letters are filled up with X.
 */
export function referralCodePrefix(username: string): string {
  const letters = username
    .replace(/[^a-z]/gi, '')
    .slice(0, 3)
    .toUpperCase();
  return `REF-${letters.padEnd(3, 'X')}-`;
}

/**
 * The number that follows the prefix. Four digits; each further attempt after a collision has one digit more.
 * `random` gives a whole number from 0 to the bound, without it.
 */
export function referralCodeNumber(attempt: number, random: (bound: number) => number): string {
  const digits = 4 + attempt;
  return String(random(10 ** digits)).padStart(digits, '0');
}
