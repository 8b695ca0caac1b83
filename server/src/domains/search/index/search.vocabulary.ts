import { type RawBuilder, sql } from 'kysely';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import { type WordLookup, type Term, minPrefixLength, splitText, createPhraseTerm, toWordStem, createTerm } from './search.terms.ts';

/** Adds the words of a published or edited listing, so that searches know them and typing errors are corrected to them. */
export const addToVocabulary = (tx: Tx, listingId: string) => sql`select add_to_vocabulary(array[${listingId}]::uuid[])`.execute(tx);

/** Rebuilds the vocabulary from the active listings. */
export const rebuildVocabulary = (db: Reader) => sql`select rebuild_vocabulary()`.execute(db);

/** Runs a statement of a search. */
export type ListRows = <Row>(statement: RawBuilder<Row>) => Promise<Row[]>;

// The fewest letters of each part of a compound word.
const minPartLength = 3;

const listSplits = (word: string) =>
  Array.from({ length: Math.max(0, word.length - 2 * minPartLength + 1) }, (_, at) => at + minPartLength).map(
    (at) => [word.slice(0, at), word.slice(at)] as const,
  );

export async function listKnownWords(listRows: ListRows, words: readonly string[]): Promise<Set<string>> {
  const rows = await listRows(sql<{ word: string }>`
    select word from search_vocabulary where word = any(${[...new Set(words)]}::text[])`);
  return new Set(rows.map(({ word }) => word));
}

/**
 * The words that active listings have; the vocabulary has words of ended ones until it is rebuilt at night. Each word is a literal, so that the
 * planner scans for a frequent word and uses the index for a rare one.
 */
async function listActiveWords(listRows: ListRows, words: readonly string[]): Promise<Set<string>> {
  const known = [...(await listKnownWords(listRows, words))];
  if (known.length === 0) return new Set();
  const isActive = (word: string) =>
    sql<boolean>`(select true from listings where status = 'active' and search_document @@ ${`'${word}'`}::tsquery limit 1)`;
  const [row] = await listRows(sql<{ active: (boolean | null)[] }>`select array[${sql.join(known.map(isActive))}] as active`);
  return new Set(known.filter((_, at) => row?.active[at]));
}

const maxSimilar = 30;

// In longer texts only the last word matches as a prefix, because each prefix reads many words.
const maxPrefixTerms = 8;

/** `activeOnly` ignores words that only ended listings have. */
async function lookUpWords(listRows: ListRows, words: readonly string[], activeOnly: boolean) {
  const candidates = words.flatMap((word, at) => {
    const next = words[at + 1];
    return [
      word,
      toWordStem(word),
      ...(next ? [word + next, toWordStem(word + next)] : []),
      ...listSplits(word).flatMap((parts) => parts.flatMap((part) => [part, toWordStem(part)])),
    ];
  });
  const inUse = activeOnly ? await listActiveWords(listRows, candidates) : await listKnownWords(listRows, candidates);
  const isKnown = (word: string) => inUse.has(word) || inUse.has(toWordStem(word));
  const unknown = words.filter((word) => !isKnown(word) && word.length >= minPrefixLength);
  const rows =
    unknown.length === 0
      ? []
      : await listRows(sql<{ typed: string; begins: boolean; similar: string[] | null }>`
          select typed,
            exists (select from search_vocabulary where word > typed and word < typed || U&'\\+10FFFF') as begins,
            (select array_agg(word) from (
              select word from search_vocabulary where length(typed) > 3 and word % typed and word <> typed
              order by similarity(word, typed) desc, word limit ${sql.lit(maxSimilar)}
            ) as near) as similar
          from unnest(${unknown}::text[]) as typed`);
  const found = new Map(rows.map((row) => [row.typed, row]));
  const getLookup = (word: string): WordLookup => ({
    isKnown: isKnown(word) || (found.get(word)?.begins ?? false),
    similar: found.get(word)?.similar ?? [],
    splits: listSplits(word).filter((parts) => parts.every(isKnown)),
  });
  return { known: getLookup, isUsed: isKnown };
}

/**
 * The terms of a text; null if it has no words. `as typed`, the last word also matches as a prefix. `looser`, every word does, and words that
 * no active listing has are corrected.
 */
export async function parseTerms(listRows: ListRows, text: string, how: 'as typed' | 'looser'): Promise<Term[] | null> {
  const parts = splitText(text);
  if (parts.length === 0) return null;
  const single = parts.flatMap((words) => (words.length === 1 ? words : []));
  const { known, isUsed } = await lookUpWords(listRows, single, how === 'looser');
  const terms: Term[] = [];
  for (const [at, words] of parts.entries()) {
    const [word = ''] = words;
    const isPrefix = at === parts.length - 1 || (how === 'looser' && parts.length <= maxPrefixTerms);
    terms.push(words.length > 1 ? createPhraseTerm(words) : createTerm(word, known(word), isPrefix));
  }
  return addJoined(terms, parts, isUsed);
}

/** Parses without the vocabulary, for the fallback after the time limit. */
export const parseTermsAsTyped = (text: string): Term[] =>
  splitText(text).map((words, at, parts) =>
    words.length > 1
      ? createPhraseTerm(words)
      : createTerm(words[0] ?? '', { isKnown: true, similar: [], splits: [] }, at === parts.length - 1),
  );

/** Lets "heat pump" match "heatpump". */
function addJoined(terms: Term[], parts: readonly string[][], isUsed: (word: string) => boolean): Term[] {
  for (let at = 0; at + 1 < terms.length; at += 1) {
    const [first, second] = [parts[at] ?? [], parts[at + 1] ?? []];
    const [term, next] = [terms[at], terms[at + 1]];
    const word = first.length === 1 && second.length === 1 ? `${first[0]}${second[0]}` : '';
    if (!term || !next || word === '' || !isUsed(word)) continue;
    terms[at] = { ...term, joined: { next, word } };
    at += 1;
  }
  return terms;
}
