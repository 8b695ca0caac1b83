import type { Db, Reader } from '../../../kit/database/database.ts';
import { anyWords } from '../../listings/listings.service.ts';
import type { SearchMemory } from '../search.memory.ts';
import { wordsOfSearch } from '../search.rules.ts';
import { findWords } from './search.words.queries.ts';
import { type Meaning, isUnknown, meaningOf, meaningOfFewLetters } from './search.words.rules.ts';

/** What each word of a text stands for in the listings as they are; null where there is no word, or one that stands for nothing. */
export async function meaningsOf(db: Db, memory: SearchMemory, text: string): Promise<Meaning[] | null> {
  const typed = wordsOfSearch(text);
  if (typed.length === 0) return null;
  const meanings = await memory.meanings.get(typed.join(' '), () => meaningsOfWords(db, typed), [anyWords]);
  return meanings.some(isUnknown) ? null : meanings;
}

const longerOf = (typed: readonly string[]) => typed.filter((word) => !meaningOfFewLetters(word));

/** Whether that is known without asking PostgreSQL. */
export const areRemembered = ({ meanings }: SearchMemory, typed: readonly string[]): boolean =>
  meanings.peek(longerOf(typed).join(' ')) !== undefined;

/** The same for those who know all forms: of a word of few letters its beginning says everything, and nothing is looked up for it. */
export async function beginningsOf(db: Db, memory: SearchMemory, text: string): Promise<Meaning[] | null> {
  const typed = wordsOfSearch(text);
  if (typed.length === 0) return null;
  const rest = longerOf(typed);
  const longer = rest.length === 0 ? [] : await meaningsOf(db, memory, rest.join(' '));
  return longer && typed.map((word) => meaningOfFewLetters(word) ?? (longer[rest.indexOf(word)] as Meaning));
}

/** What each of these words stands for, in their order. */
export async function meaningsOfWords(db: Reader, typed: readonly string[]): Promise<Meaning[]> {
  const found = await findWords(db, typed);
  return typed.map((word) => meaningOf(word, found.get(word) ?? { forms: [], near: [] }));
}
