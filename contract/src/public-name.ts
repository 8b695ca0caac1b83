// What readers take for one letter: a macron may be a sign of its own behind it.
const firstLetter = /^.\p{M}*/su;

/**
 * What others see of a person's name: the first name and the initial of the last, "Mere K." The full name is for the person and for
 * administrators. A single name is shown as it is.
 */
export function publicName(fullName: string): string {
  const [first = '', ...others] = fullName.trim().split(/\s+/);
  const last = others.at(-1);
  if (last === undefined) return first;
  return `${first} ${(firstLetter.exec(last)?.[0] ?? '').toLocaleUpperCase('en')}.`;
}
