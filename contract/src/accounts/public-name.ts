// What readers take for one letter: a macron may be a sign of its own behind it.
const firstLetter = /^.\p{M}*/su;

/** By this name an account goes that was deleted. */
export const formerMember = 'Former member';

/**
 * What others see of a person's name: the first name and the initial of the last, "Mere K." The full name is for the person and for
 * administrators. A single name is shown as it is, and so is that of former members.
 */
export function publicName(fullName: string): string {
  if (fullName === formerMember) return fullName;
  const [first = '', ...others] = fullName.trim().split(/\s+/);
  const last = others.at(-1);
  if (last === undefined) return first;
  return `${first} ${(firstLetter.exec(last)?.[0] ?? '').toLocaleUpperCase('en')}.`;
}
