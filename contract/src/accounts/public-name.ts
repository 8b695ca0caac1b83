// One letter as a reader sees it: a macron may be a separate combining character.
const firstLetter = /^.\p{M}*/su;

/** The name shown for a deleted account. */
export const formerMember = 'Former member';

/**
 * The name that other members see: the first name and the initial of the last, "Mere K." Only the member and administrators see the full
 * name. A single name and that of former members stay as they are.
 */
export function publicName(fullName: string): string {
  if (fullName === formerMember) return fullName;
  const [first = '', ...others] = fullName.trim().split(/\s+/);
  const last = others.at(-1);
  if (last === undefined) return first;
  return `${first} ${(firstLetter.exec(last)?.[0] ?? '').toLocaleUpperCase('en')}.`;
}
