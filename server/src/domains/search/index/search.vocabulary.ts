import { sql } from 'kysely';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import { type Known, type Term, beginsFrom, partsOf, phraseOf, stemOf, termOf } from './search.terms.ts';

/** Adds the words of a listing that is published or edited: from then on they are found and corrected to. */
export const addToVocabulary = (tx: Tx, listingId: string) => sql`select add_to_vocabulary(array[${listingId}]::uuid[])`.execute(tx);

/** The vocabulary of the active listings as they are. */
export const rebuildVocabulary = (db: Reader) => sql`select rebuild_vocabulary()`.execute(db);

// Both halves of a word that is written together have at least so many letters.
const shortestPart = 3;

const splitsOf = (word: string) =>
  Array.from({ length: Math.max(0, word.length - 2 * shortestPart + 1) }, (_, at) => at + shortestPart).map(
    (at) => [word.slice(0, at), word.slice(at)] as const,
  );

/** Which of these words are in the vocabulary, as they are or as another form. */
export async function wordsInUse(db: Reader, words: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ word: string }>`
    select word from search_vocabulary where word = any(${[...new Set(words)]}::text[])`.execute(db);
  return new Set(rows.map(({ word }) => word));
}

/**
 * The same of active listings alone: the vocabulary has words of others until the next night. Each word is written out, so that one of many
 * listings is met soon and one of few is looked up.
 */
async function wordsOfActive(db: Reader, words: readonly string[]): Promise<Set<string>> {
  const inUse = [...(await wordsInUse(db, words))];
  if (inUse.length === 0) return new Set();
  const isActive = (word: string) =>
    sql<boolean>`(select true from listings where status = 'active' and search_document @@ ${`'${word}'`}::tsquery limit 1)`;
  const { rows } = await sql<{ active: (boolean | null)[] }>`select array[${sql.join(inUse.map(isActive))}] as active`.execute(db);
  return new Set(inUse.filter((_, at) => rows[0]?.active[at]));
}

const similarShown = 30;

// Of longer texts only the last word may be a beginning: each beginning reads many words.
const mostBeginnings = 8;

/** `isActive`: only words count that an active listing still has. */
async function look(db: Reader, words: readonly string[], isActive: boolean) {
  const candidates = words.flatMap((word, at) => {
    const next = words[at + 1];
    return [
      word,
      stemOf(word),
      ...(next ? [word + next, stemOf(word + next)] : []),
      ...splitsOf(word).flatMap((parts) => parts.flatMap((part) => [part, stemOf(part)])),
    ];
  });
  const inUse = isActive ? await wordsOfActive(db, candidates) : await wordsInUse(db, candidates);
  const isUsed = (word: string) => inUse.has(word) || inUse.has(stemOf(word));
  const unknown = words.filter((word) => !isUsed(word) && word.length >= beginsFrom);
  const { rows } =
    unknown.length === 0
      ? { rows: [] }
      : await sql<{ typed: string; begins: boolean; similar: string[] | null }>`
          select typed,
            exists (select from search_vocabulary where word > typed and word < typed || U&'\\+10FFFF') as begins,
            (select array_agg(word) from (
              select word from search_vocabulary where length(typed) > 3 and word % typed and word <> typed
              order by similarity(word, typed) desc, word limit ${sql.lit(similarShown)}
            ) as near) as similar
          from unnest(${unknown}::text[]) as typed`.execute(db);
  const found = new Map(rows.map((row) => [row.typed, row]));
  const known = (word: string): Known => ({
    isKnown: isUsed(word) || (found.get(word)?.begins ?? false),
    similar: found.get(word)?.similar ?? [],
    splits: splitsOf(word).filter((parts) => parts.every(isUsed)),
  });
  return { known, isUsed };
}

/**
 * What a text is searched as; null where it has no words. The last word also matches as a beginning; where nothing was found so, every
 * word does, and one that no active listing has is corrected.
 */
export async function termsOf(db: Reader, text: string, how: 'as typed' | 'looser'): Promise<Term[] | null> {
  const parts = partsOf(text);
  if (parts.length === 0) return null;
  const single = parts.flatMap((words) => (words.length === 1 ? words : []));
  const { known, isUsed } = await look(db, single, how === 'looser');
  const terms: Term[] = [];
  for (const [at, words] of parts.entries()) {
    const [word = ''] = words;
    const isBeginning = at === parts.length - 1 || (how === 'looser' && parts.length <= mostBeginnings);
    terms.push(words.length > 1 ? phraseOf(words) : termOf(word, known(word), isBeginning));
  }
  return withJoined(terms, parts, isUsed);
}

/** The same without looking at the vocabulary, for when time has run out. */
export const termsAsTyped = (text: string): Term[] =>
  partsOf(text).map((words, at, parts) =>
    words.length > 1 ? phraseOf(words) : termOf(words[0] ?? '', { isKnown: true, similar: [], splits: [] }, at === parts.length - 1),
  );

/** "heat pump" is also found as "heatpump". */
function withJoined(terms: Term[], parts: readonly string[][], isUsed: (word: string) => boolean): Term[] {
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
