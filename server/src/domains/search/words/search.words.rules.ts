import { categories } from '@handwise/contract/categories';
import { boundedCache } from '../../../kit/bounds/cache-bytes.ts';
import { forgivenErrors, typingErrors } from '../../../kit/typing-errors.ts';
import { wordsOf } from '../search.rules.ts';
import { formOf } from './search.word-forms.ts';

/** What words are found in, the worthiest first. */
export const wordFields = ['title', 'business', 'services', 'category'] as const;
export type WordField = (typeof wordFields)[number];

/** The same, made once for each that it is asked of. */
function keptFor<Given extends object, Made extends object>(make: (given: Given) => Made): (given: Given) => Made {
  const made = new WeakMap<Given, Made>();
  return (given) => {
    const known = made.get(given) ?? make(given);
    made.set(given, known);
    return known;
  };
}

const formsOfWords = boundedCache<string>('wordForms');

/** The same, kept for words that many cards have. */
function knownFormOf(word: string): string {
  const known = formsOfWords.get(word);
  if (known !== undefined) return known;
  const form = formOf(word);
  formsOfWords.set(word, form);
  return form;
}

/**
 * What a searched word stands for: forms of words, or all that begin with some letters, and the groups and sub-categories that have it in their
 * names.
 */
export type Meaning = { forms: readonly string[]; begins?: string; categoryCodes: readonly number[]; subCodes: readonly number[] };

/** The groups and sub-categories that have a word in their names. */
export type Names = Pick<Meaning, 'categoryCodes' | 'subCodes'>;

type NameWord = { word: string; form: string };
// Their forms are made once: each search looks through them all.
const wordsOfName = (name: string): NameWord[] => wordsOf(name).map((word) => ({ word, form: formOf(word) }));
const named = categories.map((category) => ({
  code: category.code,
  words: wordsOfName(category.name),
  subs: category.subCategories.map((sub) => ({ code: sub.code, words: wordsOfName(sub.name) })),
}));
const wordsOfNames = [
  ...new Set(named.flatMap(({ words, subs }) => [...words, ...subs.flatMap((sub) => sub.words)]).map(({ word }) => word)),
];

/** Groups with such a word in their names, and sub-categories of the other groups. */
function namesWith(isMeant: (name: NameWord) => boolean): Names {
  const groups = named.filter(({ words }) => words.some(isMeant));
  const subs = named.filter((group) => !groups.includes(group)).flatMap((group) => group.subs);
  return {
    categoryCodes: groups.map(({ code }) => code),
    subCodes: subs.filter(({ words }) => words.some(isMeant)).map(({ code }) => code),
  };
}

/** Those with a word in their names that begins with a searched word, or is another form of it. */
export function namesOf(typed: string): Names {
  const form = formOf(typed);
  return namesWith((name) => name.word.startsWith(typed) || name.form === form);
}

// Who mistypes a word begins it rightly or swaps its first letters; other beginnings are other names: Anderson, Henderson, Sanderson.
const beginsAlike = (typed: string, meant: string) => typed[0] === meant[0] || (typed[0] === meant[1] && typed[1] === meant[0]);

/** What the vocabulary has for a searched word: the forms of the words that it stands for, or where there are none, words that read like it. */
export type Candidates = { forms: readonly string[]; near: readonly string[] };

/**
 * What a searched word stands for: every word that begins with it or is another form of it, in listings and in the names of categories;
 * where there is none, those a forgivable typing error away, the nearest only.
 */
export function meaningOf(typed: string, { forms: exact, near: similar }: Candidates): Meaning {
  const names = namesOf(typed);
  if (exact.length + names.categoryCodes.length + names.subCodes.length > 0) return { forms: exact, ...names };
  const near = [...new Set([...similar, ...wordsOfNames])]
    .filter((word) => beginsAlike(typed, word))
    .map((word) => ({ form: formOf(word), errors: typingErrors(typed, word) }))
    .filter(({ errors }) => errors <= forgivenErrors(typed));
  const fewest = Math.min(...near.map(({ errors }) => errors));
  const forms = new Set(near.filter(({ errors }) => errors === fewest).map((one) => one.form));
  return { forms: [...forms], ...namesWith((name) => forms.has(name.form)) };
}

// Words and their forms have so many letters in common.
const fewLetters = 2;

/** The same of a word of one or two letters, as its beginning; null for a longer one. */
export const meaningOfFewLetters = (typed: string): Meaning | null =>
  typed.length > fewLetters ? null : { forms: [], begins: typed, ...namesWith(({ word }) => word.startsWith(typed)) };

/** Whether a searched word stands for nothing at all. */
export const isUnknown = ({ forms, categoryCodes, subCodes }: Meaning) => forms.length + categoryCodes.length + subCodes.length === 0;

type Texts = { service_title: string; business_title: string; services: readonly string[] };
/** A listing by its texts, or by the forms of their words where those are known. */
type Worded = { category_code: number; sub_category_code: number | null } & (Texts | { forms: FormsOfFields });

/** The forms of the words of a listing, by field. */
export type FormsOfFields = Record<Exclude<WordField, 'category'>, readonly string[]>;

const formsIn = (text: string) => [...new Set(wordsOf(text).map(knownFormOf))];

export const formsOfFields = (listing: Texts): FormsOfFields => ({
  title: formsIn(listing.service_title),
  business: formsIn(listing.business_title),
  services: formsIn(listing.services.join(' ')),
});

/** Whether any of the searched words stands for a form. All cards of a page ask the same. */
const meantBy = keptFor((meanings: readonly Meaning[]) => {
  const meant = new Set(meanings.flatMap(({ forms }) => forms));
  const begun = meanings.flatMap(({ begins }) => begins ?? []);
  return (form: string) => meant.has(form) || begun.some((begins) => form.startsWith(begins));
});

/** In which fields of a listing any of the searched words stand, the worthiest first. */
export function fieldsWith(listing: Worded, meanings: readonly Meaning[]): WordField[] {
  if (meanings.length === 0) return [];
  const forms = 'forms' in listing ? listing.forms : formsOfFields(listing);
  const isMeant = meantBy(meanings);
  const found: Record<WordField, boolean> = {
    title: forms.title.some(isMeant),
    business: forms.business.some(isMeant),
    services: forms.services.some(isMeant),
    category: meanings.some(
      ({ categoryCodes, subCodes }) =>
        categoryCodes.includes(listing.category_code) ||
        (listing.sub_category_code !== null && subCodes.includes(listing.sub_category_code)),
    ),
  };
  return wordFields.filter((field) => found[field]);
}
