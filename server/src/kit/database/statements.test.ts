import { testApp } from '@handwise/sandbox/testing/app';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { isUnavailable, openDatabase } from './database.ts';
import { runForm } from './statements.ts';

const { db, parts } = await testApp();

test('a form is put together once and answers for the values of each run', async () => {
  let built = 0;
  const wordsOf = (word: string) =>
    runForm(db, 'words of', [word], (reader) => {
      built += 1;
      return reader.selectNoFrom(({ val, cast }) => cast<string>(val(word), 'text').as('word'));
    });
  expect([await wordsOf('roof'), await wordsOf('gate'), await wordsOf('roof')]).toEqual([
    [{ word: 'roof' }],
    [{ word: 'gate' }],
    [{ word: 'roof' }],
  ]);
  expect(built).toBe(1);
});

test('values that are not those of the statement, or in another order, are refused and not remembered', async () => {
  const sumOf = (values: number[]) =>
    runForm(db, 'difference', values, (reader) =>
      reader.selectNoFrom(({ cast, val, eb }) => eb(cast<number>(val(7), 'integer'), '-', cast<number>(val(3), 'integer')).as('left')),
    );
  await expect(sumOf([3, 7])).rejects.toThrow('the values of difference are not those of its statement');
  await expect(sumOf([7])).rejects.toThrow('difference');
  expect(await sumOf([7, 3])).toEqual([{ left: 4 }]);
});

test('a statement that takes longer than it may is ended, and counts as a database that cannot answer now', async () => {
  const hurried = openDatabase({ url: parts.databaseUrl, connections: 1, statementMs: 50, onIdleError: () => {} });
  const error = await sql`select pg_sleep(60)`.execute(hurried.db).catch((thrown: unknown) => thrown);
  expect([isUnavailable(error), (error as Error).message]).toEqual([true, 'canceling statement due to statement timeout']);
  expect((await sql<{ one: number }>`select 1 as one`.execute(hurried.db)).rows).toEqual([{ one: 1 }]);
  await hurried.close();
});
