import { testApp } from '@handwise/sandbox/test-app';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { formOf } from '../words/search.word-forms.ts';
import { findWords } from '../words/search.words.queries.ts';
import { Postings } from './postings.ts';
import { Reading } from './reading/reading.ts';
import { Vocabulary, type WordRow } from './vocabulary.ts';

// What the vocabulary in memory says is held against the statement that PostgreSQL answers.
const { db, parts } = await testApp();

const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 11 })[0];
const nat = (below: number) => Number(random?.next().value) % below;
const pick = <T>(items: readonly T[]): T => items[nat(items.length)] as T;

// Short and alike, so that words begin alike, are forms of each other, and are put together of others.
const stems = [
  'heat',
  'pump',
  'roof',
  'tile',
  'til',
  'paint',
  'hea',
  'clean',
  'gutter',
  'ander',
  'son',
  'ā',
  '管',
  '𝒶b',
  'papa',
  'aa',
  '24',
];
const endings = ['', '', '', 's', 'es', 'ing', 'er', 'ers', 'ering', 'ies', 'y'];
const newWord = () => `${pick(stems)}${nat(2) ? pick(stems) : ''}${nat(5) ? '' : pick(stems)}${pick(endings)}`;
const words = [...new Set(Array.from({ length: 1_500 }, newWord))];
const later = words.splice(-200);

const write = async (those: readonly string[]) => {
  const listings = those.map(() => pick([0, 1, 1, 2, 3, 10, 500]));
  await sql`insert into search_words (word, listings) select * from unnest(${those}::text[], ${listings}::int[])
    on conflict (word) do update set listings = excluded.listings`.execute(db);
};

const postings = new Postings();
let reading: Reading;
beforeAll(async () => {
  await write(words);
  reading = await Reading.open(parts.databaseUrl, postings, () => {});
  await reading.words();
  return () => reading.close();
});

const searched = fc.oneof(
  fc.constantFrom(...words, ...later),
  fc.constantFrom(...words).chain((word) => fc.nat({ max: word.length }).map((length) => [...word].slice(0, length).join('') || 'p')),
  fc.constantFrom(...stems, 'nobodysword', 'pumper', 'anderson', 'gutterings', 'aaaa', 'aaaaa', 'papapapa'),
);

test('what a searched word stands for is what PostgreSQL says, in its order, whatever has changed since', async () => {
  const vocabulary = postings.vocabulary;
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(searched, { minLength: 30, maxLength: 30 }), async (typed) => {
      const told = [...Array.from({ length: 20 }, () => pick(words)), ...Array.from({ length: 5 }, () => pick(later))];
      await write([...new Set(told)]);
      await reading.changedWords(told);
      const expected = await findWords(db, typed);
      for (const word of typed) {
        // Of those that stand for nothing the statement says which are similar.
        const { forms = [] } = expected.get(word) ?? {};
        expect([word, vocabulary.formsOf(word, formOf(word)) ?? []]).toEqual([word, forms]);
      }
    }),
    { numRuns: 40, seed: 42 },
  );
});

const rowOf = (word: string, listings = 1): WordRow => ({ word, form: formOf(word), listings });

test('words that came later are found like those that were there, also once they are so many that all are put in order anew', () => {
  const vocabulary = new Vocabulary();
  vocabulary.begin([rowOf('pump', 5), rowOf('heat', 5)]);
  for (let at = 0; at < 2_100; at += 1) vocabulary.change([rowOf(`later${at}`)]);
  vocabulary.change([rowOf('heatpump', 2), rowOf('pumps', 9), rowOf('heat', 0)]);
  expect(vocabulary.formsOf('later2099', 'later2099')).toEqual(['later2099']);
  expect(vocabulary.formsOf('later7', 'later7')).toHaveLength(111);
  expect(vocabulary.formsOf('pumps', 'pump')).toEqual(['pump']);
  expect(vocabulary.formsOf('heat', 'heat')).toEqual(['heatpump']);
  vocabulary.change([rowOf('heat', 3)]);
  expect(vocabulary.formsOf('pumps', 'pump')).toEqual(['pump', 'heatpump'].slice(0, 1));
  expect(vocabulary.formsOf('pump', 'pump')).toEqual(['pump', 'heatpump']);
  vocabulary.begin([rowOf('roof')]);
  expect([vocabulary.formsOf('pump', 'pump'), vocabulary.formsOf('roof', 'roof')]).toEqual([null, ['roof']]);
});

test('more words than a server may hold are not held, and nobody is told a part of them', () => {
  const vocabulary = new Vocabulary(2);
  vocabulary.begin([rowOf('roof'), rowOf('tile')]);
  expect(vocabulary.formsOf('roof', 'roof')).toEqual(['roof']);
  vocabulary.begin([rowOf('roof'), rowOf('tile'), rowOf('pump')]);
  vocabulary.change([rowOf('roof')]);
  expect(vocabulary.formsOf('roof', 'roof')).toBeNull();
});
