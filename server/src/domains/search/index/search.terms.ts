import { categories } from '@handwise/contract/listings/categories';
import { fold } from '@handwise/contract/text';
import { getMaxEditDistance, computeEditDistance } from '../../../kit/edit-distance.ts';

/** The words of a text, folded as the database folds them. Empty where the text has neither letters nor digits. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, 60));

/** A part of a search text: a word, or several that must follow each other. Any of its alternatives is enough. */
export type Term = {
  /** Stems or whole words, of phrases several each. */
  phrases: readonly (readonly string[])[];
  /** Also every word that begins so. */
  begins: string | null;
  /** The services that have it in their names. */
  categoryCodes: readonly number[];
  subCodes: readonly number[];
  /** What all words of this and the next term are written together as: either is enough. */
  joined?: { next: Term; word: string };
};

/** The fields of a listing that have words, the worthiest first. */
const wordFields = ['title', 'business', 'services', 'description', 'category'] as const;
export type WordField = (typeof wordFields)[number];

/**
 * A plural is its singular, and what somebody does is who does it ("tiling" and "tilers" are "tiler", "tiles" are "tile"). The database has the
 * same in `words_in_order`.
 */
export function stemOf(word: string): string {
  const singular = singularOf(word);
  if (/..erer$/u.test(singular)) return singular.slice(0, -2);
  if (/..ering$/u.test(singular)) return singular.slice(0, -3);
  if (/[aeiouy].*ing$/u.test(singular) && singular.length >= 6) return `${singular.slice(0, -3)}er`;
  return singular;
}

function singularOf(word: string): string {
  if (/..ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/..(ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2);
  return /..[^sui]s$/u.test(word) ? word.slice(0, -1) : word;
}

/** From so many letters on a word may be the beginning of another. */
export const beginsFrom = 3;
const mostParts = 50;

/** The words and quoted phrases of a text, in their order. A word counts once. */
export function partsOf(text: string): string[][] {
  const quoted = text.split(/["“”]/);
  // What follows an unpaired quotation mark is not quoted.
  const isPaired = quoted.length % 2 === 1;
  const parts = quoted.flatMap((part, index) => {
    const words = wordsOf(part);
    const isPhrase = index % 2 === 1 && (isPaired || index < quoted.length - 1) && words.length > 1;
    return isPhrase ? [words] : words.map((word) => [word]);
  });
  return [...new Map(parts.map((words) => [words.join(' '), words])).values()].slice(0, mostParts);
}

type Named = { code: number; words: readonly string[]; subs: readonly { code: number; words: readonly string[] }[] };
const named: readonly Named[] = categories.map(({ code, name, subCategories }) => ({
  code,
  words: wordsOf(name),
  subs: subCategories.map((sub) => ({ code: sub.code, words: wordsOf(sub.name) })),
}));
const wordsOfNames = [...new Set(named.flatMap(({ words, subs }) => [...words, ...subs.flatMap((sub) => sub.words)]))];

/** Groups with such a word in their names, and sub-categories of the others. */
function namesWith(isMeant: (word: string) => boolean): Pick<Term, 'categoryCodes' | 'subCodes'> {
  const groups = named.filter(({ words }) => words.some(isMeant));
  const subs = named.filter((group) => !groups.includes(group)).flatMap((group) => group.subs);
  return {
    categoryCodes: groups.map(({ code }) => code),
    subCodes: subs.filter(({ words }) => words.some(isMeant)).map(({ code }) => code),
  };
}

/** What the vocabulary says of a searched word. */
export type Known = {
  /** Some listing has the word, its stem, or a word that begins so. */
  isKnown: boolean;
  /** Words that are spelt like it; looked up where it is not known. */
  similar: readonly string[];
  /** Two words of the vocabulary that it is written together of. */
  splits: readonly (readonly [string, string])[];
};

/** Whether a word has another form in the names of services, or begins one of them. */
const isInNames = (word: string, begins: boolean) => {
  const stem = stemOf(word);
  return (other: string) => other === word || stemOf(other) === stem || (begins && other.startsWith(word));
};

// A word that is mistyped begins rightly or has its first letters swapped; other beginnings are other names: Anderson, Henderson, Sanderson.
const beginsAlike = (typed: string, meant: string) => typed[0] === meant[0] || (typed[0] === meant[1] && typed[1] === meant[0]);

/** The words nearest to a mistyped one, by their errors; none where all are too far. */
function nearestOf(typed: string, similar: readonly string[]): string[] {
  const near = [...new Set([...similar, ...wordsOfNames])]
    .filter((word) => beginsAlike(typed, word))
    .map((word) => ({ word, errors: computeEditDistance(typed, word) }))
    .filter(({ errors }) => errors <= getMaxEditDistance(typed));
  const fewest = Math.min(...near.map(({ errors }) => errors));
  return near.filter(({ errors }) => errors === fewest).map(({ word }) => word);
}

/** What a single word is searched as: where no listing has it, also as those that it may be mistyped for. `begins`: as the beginning of others too. */
export function termOf(word: string, { isKnown, similar, splits }: Known, begins: boolean): Term {
  const isBeginning = begins && word.length >= beginsFrom;
  const names = namesWith(word.length < beginsFrom ? (other) => other === word : isInNames(word, isBeginning));
  const compounds = splits.map((parts) => parts.map(stemOf));
  const own = { phrases: [[stemOf(word)], ...compounds], begins: isBeginning ? word : null, ...names };
  if (isKnown || splits.length > 0 || names.categoryCodes.length + names.subCodes.length > 0) return own;
  const near = nearestOf(word, similar);
  if (near.length === 0) return own;
  const stems = new Set([word, ...near].map(stemOf));
  return { phrases: [...stems].map((stem) => [stem]), begins: null, ...namesWith((other) => stems.has(stemOf(other))) };
}

export const phraseOf = (words: readonly string[]): Term => ({
  phrases: [words.map(stemOf)],
  begins: null,
  categoryCodes: [],
  subCodes: [],
});

const anyOf = (parts: readonly string[]) => `(${parts.join(' | ')})`;

// Words hold letters and digits only, so that nothing in them needs escaping.
function queryOfTerm(term: Term, weight: '' | 'A'): string {
  const lexeme = (word: string, mark = '') => `'${word}'${mark || weight ? `:${mark}${weight}` : ''}`;
  const codes = weight ? [] : [...term.categoryCodes.map((code) => `'category:${code}'`), ...term.subCodes.map((code) => `'sub:${code}'`)];
  return anyOf([
    ...term.phrases.map((phrase) => phrase.map((word) => lexeme(word)).join(' <-> ')),
    ...(term.begins === null ? [] : [lexeme(term.begins, '*')]),
    ...codes,
  ]);
}

/** The `tsquery` that asks for all of these: anywhere, or all of them in the title. */
export function tsqueryOf(terms: readonly Term[], where: 'anywhere' | 'title' = 'anywhere'): string {
  const weight = where === 'title' ? 'A' : '';
  const own = (term: Term) => queryOfTerm(term, weight);
  const parts: string[] = [];
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] as Term;
    if (!term.joined) parts.push(own(term));
    else {
      const together = queryOfTerm({ ...term, ...noServices, phrases: [[stemOf(term.joined.word)]], begins: null }, weight);
      parts.push(anyOf([`(${own(term)} & ${own(term.joined.next)})`, together]));
      at += 1;
    }
  }
  return parts.join(' & ');
}
const noServices = { categoryCodes: [], subCodes: [] };

type Texts = {
  service_title: string;
  business_title: string;
  services: readonly string[];
  service_description: string;
  category_code: number;
  sub_category_code: number | null;
};

/** In which fields of a listing any of the searched words is, the worthiest first. */
export function fieldsWith(listing: Texts, terms: readonly Term[]): WordField[] {
  if (terms.length === 0) return [];
  const all = terms.flatMap((term) => (term.joined ? [term, { ...term, phrases: [[stemOf(term.joined.word)]] }] : [term]));
  const has = (text: string) => {
    const words = wordsOf(text);
    const stems = words.map(stemOf);
    const isAt = (phrase: readonly string[], at: number) =>
      phrase.every((word, index) => word === stems[at + index] || word === words[at + index]);
    return all.some(
      ({ phrases, begins }) =>
        phrases.some((phrase) => stems.some((_, at) => isAt(phrase, at))) ||
        (begins !== null && [...words, ...stems].some((word) => word.startsWith(begins))),
    );
  };
  const { category_code: category, sub_category_code: sub } = listing;
  const found: Record<WordField, boolean> = {
    title: has(listing.service_title),
    business: has(listing.business_title),
    services: has(listing.services.join(' ')),
    description: has(listing.service_description),
    category: all.some(({ categoryCodes, subCodes }) => categoryCodes.includes(category) || (sub !== null && subCodes.includes(sub))),
  };
  return wordFields.filter((field) => found[field]);
}
