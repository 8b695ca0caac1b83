import { categories } from '@handwise/contract/listings/categories';
import { splitWords } from '@handwise/contract/text';
import { getMaxEditDistance, computeEditDistance } from '../../../kit/edit-distance.ts';
import { isCommonWord } from '../common-words.ts';

/** The words of a text, folded as the database folds them. */
export const tokenize = (text: string): string[] => splitWords(text).map((word) => word.slice(0, 60));

/** Normalises a name as `suggestion_start` in the database does. */
export const toNameStart = (typed: string) => [...splitWords(typed).join(' ')].slice(0, 60).join('').trimEnd();

/** A word or quoted phrase of a search text. A listing matches if it has any of the alternatives. */
export type Term = {
  /** Stems or whole words; those of a phrase must follow each other. */
  phrases: readonly (readonly string[])[];
  /** Matches every word that begins with it. */
  prefix: string | null;
  /** Categories with the word in their names. */
  categoryCodes: readonly number[];
  subCodes: readonly number[];
  /** This and the next term written as one word, which matches as well. */
  joined?: { next: Term; word: string };
};

/** The searched fields of a listing, most important first. */
const wordFields = ['title', 'business', 'services', 'description', 'category'] as const;
export type WordField = (typeof wordFields)[number];

/**
 * Stems plurals to the singular and -ing to -er: "tiling" and "tilers" to "tiler", "tiles" to "tile". `words_in_order` in the database does
 * the same.
 */
export function toWordStem(word: string): string {
  const singular = toSingular(word);
  if (/..erer$/u.test(singular)) return singular.slice(0, -2);
  if (/..ering$/u.test(singular)) return singular.slice(0, -3);
  if (singular.endsWith('ing') && singular.length >= 6 && /[aeiouy]/u.test(singular.slice(0, -3))) return `${singular.slice(0, -3)}er`;
  return singular;
}

function toSingular(word: string): string {
  if (/..ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/..(ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2);
  return /..[^sui]s$/u.test(word) ? word.slice(0, -1) : word;
}

/** Shorter words match as whole words only. */
export const minPrefixLength = 3;
const maxTerms = 50;

/** The distinct words and quoted phrases of a text in their order. */
export function splitText(text: string): string[][] {
  const quoted = text.split(/["“”]/);
  // Text after an unpaired quotation mark is not quoted.
  const isPaired = quoted.length % 2 === 1;
  const parts = quoted.flatMap((part, index) => {
    const words = tokenize(part);
    const isPhrase = index % 2 === 1 && (isPaired || index < quoted.length - 1) && words.length > 1;
    return isPhrase ? [words] : words.map((word) => [word]);
  });
  return [...new Map(parts.map((words) => [words.join(' '), words])).values()].slice(0, maxTerms);
}

type CategoryWords = { code: number; words: readonly string[]; subs: readonly { code: number; words: readonly string[] }[] };
const categoryWords: readonly CategoryWords[] = categories.map(({ code, name, subCategories }) => ({
  code,
  words: tokenize(name),
  subs: subCategories.map((sub) => ({ code: sub.code, words: tokenize(sub.name) })),
}));
const allCategoryWords = [...new Set(categoryWords.flatMap(({ words, subs }) => [...words, ...subs.flatMap((sub) => sub.words)]))];

/** Groups with a matching word in their names, and matching sub-categories of the other groups. */
function findCategoryCodes(isMatch: (word: string) => boolean): Pick<Term, 'categoryCodes' | 'subCodes'> {
  const groups = categoryWords.filter(({ words }) => words.some(isMatch));
  const subs = categoryWords.filter((group) => !groups.includes(group)).flatMap((group) => group.subs);
  return {
    categoryCodes: groups.map(({ code }) => code),
    subCodes: subs.filter(({ words }) => words.some(isMatch)).map(({ code }) => code),
  };
}

/** A searched word in the vocabulary. */
export type WordLookup = {
  /** Some listing has the word, its stem, or a word that begins with it. */
  isKnown: boolean;
  /** Words with a similar spelling, looked up for unknown words only. */
  similar: readonly string[];
  /** Pairs of known words that make up the word. */
  splits: readonly (readonly [string, string])[];
};

/** Matches words with the same stem, or with `begins` also words that begin with this one. */
const createNameMatcher = (word: string, begins: boolean) => {
  const stem = toWordStem(word);
  return (other: string) => other === word || toWordStem(other) === stem || (begins && other.startsWith(word));
};

// A typing error leaves the first letter right or swaps the first two; other first letters make other names: Anderson, Henderson, Sanderson.
const hasSimilarStart = (typed: string, meant: string) => typed[0] === meant[0] || (typed[0] === meant[1] && typed[1] === meant[0]);

/** The words with the fewest errors compared to a mistyped one; empty if all have too many. */
function listNearestWords(typed: string, similar: readonly string[]): string[] {
  const near = [...new Set([...similar, ...allCategoryWords])]
    .filter((word) => hasSimilarStart(typed, word))
    .map((word) => ({ word, errors: computeEditDistance(typed, word) }))
    .filter(({ errors }) => errors <= getMaxEditDistance(typed));
  const fewest = Math.min(...near.map(({ errors }) => errors));
  return near.filter(({ errors }) => errors === fewest).map(({ word }) => word);
}

/** A word that no listing has is also searched as the words it may be a typing error of. `asPrefix`: match longer words too. */
export function createTerm(word: string, { isKnown, similar, splits }: WordLookup, asPrefix: boolean): Term {
  const isPrefix = asPrefix && word.length >= minPrefixLength;
  const names = findCategoryCodes(word.length < minPrefixLength ? (other) => other === word : createNameMatcher(word, isPrefix));
  const compounds = splits.map((parts) => parts.map(toWordStem));
  const own = { phrases: [[toWordStem(word)], ...compounds], prefix: isPrefix ? word : null, ...names };
  if (isKnown || isCommonWord(word) || splits.length > 0 || names.categoryCodes.length + names.subCodes.length > 0) return own;
  const near = listNearestWords(word, similar);
  if (near.length === 0) return own;
  const stems = new Set([word, ...near].map(toWordStem));
  return { phrases: [...stems].map((stem) => [stem]), prefix: null, ...findCategoryCodes((other) => stems.has(toWordStem(other))) };
}

export const createPhraseTerm = (words: readonly string[]): Term => ({
  phrases: [words.map(toWordStem)],
  prefix: null,
  categoryCodes: [],
  subCodes: [],
});

const joinAlternatives = (parts: readonly string[]) => `(${parts.join(' | ')})`;

/** The work that a text names. */
export type Work = {
  /** Listings of these sub-categories name it. */
  subCodes: readonly number[];
  /** Its names, each in words that must follow each other: a listing that has one in title or services names it. */
  names: readonly (readonly string[])[];
  /** Names of the people who do it, by which listings of other categories are found. */
  people: readonly (readonly string[])[];
  /**
   * Which listings do it: all of the category and, where these are few, others that name it; or those of the category that at least mention it and others
   * that name it; or only listings of the category, which was chosen, that at least mention it.
   */
  doneBy: 'category' | 'mentions or names' | 'mentions';
  /** Whether the listings of the category differ in how well they fit, by its sub-categories and names; otherwise all of them name it. */
  isRanked: boolean;
  /** Of a whole trade: a listing whose title names one of its parts and nothing of the whole is a specialist, who comes after the others. */
  specialties?: { parts: readonly (readonly string[])[]; whole: readonly (readonly string[])[] };
};

/** Whether the title of a listing says that it does only a part of the work. */
export function isSpecialist(title: string, { specialties }: Work): boolean {
  if (!specialties) return false;
  const isNamed = createFinder(title);
  const has = (names: Work['names']) => names.map(createPhraseTerm).some(isNamed);
  return has(specialties.parts) && !has(specialties.whole);
}

/** Where words are looked for: A is the title, B the business, C the services. */
type Weights = '' | 'AC' | 'ABC';

// Words consist of letters and digits, so nothing needs escaping.
const toLexeme = (word: string, mark: string, weights: Weights) => `'${word}'${mark || weights ? `:${mark}${weights}` : ''}`;

const toPhraseQuery = (phrase: readonly string[], weights: Weights) => phrase.map((word) => toLexeme(word, '', weights)).join(' <-> ');

const listWordLexemes = (term: Term, weights: Weights) => [
  ...term.phrases.map((phrase) => toPhraseQuery(phrase, weights)),
  ...(term.prefix === null ? [] : [toLexeme(term.prefix, '*', weights)]),
];
const listCodeLexemes = ({ categoryCodes, subCodes }: Term) => [
  ...categoryCodes.map((code) => `'category:${code}'`),
  ...subCodes.map((code) => `'sub:${code}'`),
];

export const toTermQuery = (term: Term, weights: Weights): string =>
  joinAlternatives([...listWordLexemes(term, weights), ...listCodeLexemes(term)]);

/** The words of a term alone, and its categories alone; null if it has none. */
export const toWordsQuery = (term: Term): string => joinAlternatives(listWordLexemes(term, ''));
export function toCodesQuery(term: Term): string | null {
  const codes = listCodeLexemes(term);
  return codes.length > 0 ? joinAlternatives(codes) : null;
}

/** The `tsquery` that matches all terms in fields of these weights, anywhere by default. */
export function toTsquery(terms: readonly Term[], weights: Weights = ''): string {
  const own = (term: Term) => toTermQuery(term, weights);
  const parts: string[] = [];
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] as Term;
    if (!term.joined) parts.push(own(term));
    else {
      const together = toTermQuery({ ...term, ...noCategories, phrases: [[toWordStem(term.joined.word)]], prefix: null }, weights);
      parts.push(joinAlternatives([`(${own(term)} & ${own(term.joined.next)})`, together]));
      at += 1;
    }
  }
  return parts.join(' & ');
}

/** The `tsquery` for listings that have one of these names in title or services, its words next to each other. */
export const toNamedQuery = (names: Work['names']): string =>
  joinAlternatives(names.map((name) => `(${toPhraseQuery(name.map(toWordStem), 'AC')})`));

/** The `tsquery` for listings that have the words of one of these names anywhere. */
export const toMentionedQuery = (names: Work['names']): string =>
  joinAlternatives(names.map((name) => `(${name.map((word) => toLexeme(toWordStem(word), '', '')).join(' & ')})`));

/** The `tsquery` for listings of the category that at least mention the work, and for those that name it. */
export function toWorkQuery({ names, doneBy }: Work, codes: readonly string[]): string {
  const mentions = toMentionedQuery(names);
  if (doneBy !== 'mentions or names') return mentions;
  return joinAlternatives([toNamedQuery(names), `(${joinAlternatives(codes)} & ${mentions})`]);
}
const noCategories = { categoryCodes: [], subCodes: [] };

type Texts = {
  service_title: string;
  business_title: string;
  services: readonly string[];
  service_description: string;
  category_code: number;
  sub_category_code: number | null;
};

/** Whether a text has any of the alternatives of a term. */
function createFinder(text: string) {
  const words = tokenize(text);
  const stems = words.map(toWordStem);
  const isAt = (phrase: readonly string[], at: number) =>
    phrase.every((word, index) => word === stems[at + index] || word === words[at + index]);
  return ({ phrases, prefix }: Pick<Term, 'phrases' | 'prefix'>) =>
    phrases.some((phrase) => stems.some((_, at) => isAt(phrase, at))) ||
    (prefix !== null && [...words, ...stems].some((word) => word.startsWith(prefix)));
}

const isInCategory = ({ category_code: category, sub_category_code: sub }: Texts, { categoryCodes, subCodes }: Term) =>
  categoryCodes.includes(category) || (sub !== null && subCodes.includes(sub));

/** The fields of a listing that have any of the terms, most important first. */
export function listMatchingFields(listing: Texts, terms: readonly Term[]): WordField[] {
  if (terms.length === 0) return [];
  const all = terms.flatMap((term) => (term.joined ? [term, { ...term, phrases: [[toWordStem(term.joined.word)]] }] : [term]));
  const has = (text: string) => all.some(createFinder(text));
  const found: Record<WordField, boolean> = {
    title: has(listing.service_title),
    business: has(listing.business_title),
    services: has(listing.services.join(' ')),
    description: has(listing.service_description),
    category: all.some((term) => isInCategory(listing, term)),
  };
  return wordFields.filter((field) => found[field]);
}
