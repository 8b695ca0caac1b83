import { fold } from '@handwise/contract/text';

/** What is written short in names of places and in addresses, by the word that both forms are compared as. */
const written: Record<string, string> = {
  mt: 'mount',
  st: 'saint',
  pt: 'point',
  nth: 'north',
  sth: 'south',
  upr: 'upper',
  lwr: 'lower',
  hts: 'heights',
  bch: 'beach',
  ck: 'creek',
  jct: 'junction',
  ft: 'fort',
};

const maxWords = 12;
const isPlain = (text: string) => /^[A-Za-z0-9 ]*$/.test(text);

/** The words of a name of a place, folded and written out: "Mt. Māunganui" and "mount maunganui" are the same. At most twelve. */
export function wordsOfPlace(text: string): string[] {
  // Most of 17,000 names need no folding, and all are read when a server starts.
  const words = isPlain(text)
    ? text.toLowerCase().split(' ')
    : fold(text)
        .replace(/['’.]/g, '')
        .split(/[^\p{L}\p{N}]+/u);
  return words
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => (word.length <= 3 && Object.hasOwn(written, word) ? (written[word] ?? word) : word));
}

const isOneWord = (text: string) => /^[A-Za-z]{4,}$/.test(text);

export const keyOfPlace = (text: string) => (isOneWord(text) ? text.toLowerCase() : wordsOfPlace(text).join(' '));
