import type { Reader } from '../../../kit/database/database.ts';

/** Which of these words stand in active listings just so. */
export async function wordsInUse(db: Reader, words: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('search_words').select('word').where('word', 'in', words).where('listings', '>', 0).execute();
  return rows.map(({ word }) => word);
}
