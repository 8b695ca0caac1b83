/** The name shown for a deleted account. */
export const formerMember = 'Former member';

// One letter as a reader sees it, a macron being possibly a separate character, after quotes and brackets.
const firstLetter = /^\p{P}*(\P{P}\p{M}*)/u;
const hyphens = / ?[-\u2010-\u2015] ?/g;
const nickname = / ?\([^()]*\)/g;
const eastAsian = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}々〆ー\s]+$/u;
const suffix = /^(?:jn?r|sn?r|ii|iii|iv|esq|phd|md|qc|kc|jp|onzm|mnzm|qso|oam)\.?$/i;
const particles = new Set(
  `te ngā nga van von der den de di da do du del della delle dei dos das la le las los al el bin binti bint ibn ben ter ten te zu zum
  st saint san santa mac mc fitz abu ap`.split(/\s+/),
);
const isParticle = (word: string) => particles.has(word.toLowerCase());

/**
 * The words of the family name: the last one, with the particles before it, and with what a hyphen ties to it ("Whaanga-Te Rāngi"). Never the first
 * word, which is the given name.
 */
function findFamilyName(words: readonly string[]): readonly string[] {
  let start = words.length - 1;
  while (start > 1 && isParticle((words[start - 1] ?? '').split('-').at(-1) ?? '')) start -= 1;
  return words.slice(start);
}

/** A written-small particle does not count ("van der Berg" is B), a capital one does ("Te Rāngi" is T). */
function getInitial(family: readonly string[]): string {
  const word = family.find((one) => !isParticle(one) || one !== one.toLowerCase()) ?? family.at(-1) ?? '';
  return `${(firstLetter.exec(word)?.[1] ?? '').toLocaleUpperCase('en')}.`;
}

/**
 * The name that other members see: the first name and the initial of the last, "Mere K." Only the member and administrators see the full
 * name. A single name and that of former members stay as they are. Chinese, Japanese and Korean names begin with the family name; written without a
 * space, only their first character is shown, because where the family name ends is unknown.
 */
export function publicName(fullName: string): string {
  if (fullName === formerMember) return fullName;
  const name = fullName.trim().replace(/\s+/g, ' ').replace(hyphens, '-').replace(nickname, '');
  if (eastAsian.test(name)) {
    const [family = '', ...given] = name.split(' ');
    return [...given, getInitial([family])].join(' ');
  }
  const [before = '', after = ''] = name.split(/ ?, ?/);
  const isReversed = after !== '' && !suffix.test(after);
  const words = (isReversed ? `${after} ${before}` : before).split(/[ ・]/).filter((word) => word !== '');
  while (words.length > 2 && suffix.test(words.at(-1) ?? '')) words.pop();
  const [first = ''] = words;
  if (words.length < 2) return first;
  return `${first} ${getInitial(findFamilyName(words))}`;
}
