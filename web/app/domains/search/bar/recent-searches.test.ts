import { expect, test, vi, onTestFinished } from 'vitest';
import {
  deleteRecentSearch,
  deleteRecentSearches,
  parseRecent,
  readRecent,
  filterRecentSearches,
  saveRecentSearch,
  withRecent,
} from './recent-searches.ts';
import { stubLocalStorage } from '../../../lib/testing/local-storage.ts';

const search = (q: string, where = '') => ({ q, where });

test('puts the last search first, each once ignoring case, and drops the ninth', () => {
  let searches = parseRecent(null);
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) searches = withRecent(searches, search(`plumber ${n}`));
  expect(searches.map(({ q }) => q)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((n) => `plumber ${n}`));
  expect(
    withRecent(searches, search('PLUMBER 4'))
      .map(({ q }) => q)
      .slice(0, 3),
  ).toEqual(['PLUMBER 4', 'plumber 9', 'plumber 8']);
  expect(withRecent(searches, search('PLUMBER 4'))).toHaveLength(8);
});

test('treats the same words in another place as another search', () => {
  expect(withRecent([search('plumber', 'Taupō')], search('plumber', 'Napier'))).toHaveLength(2);
  expect(withRecent([search('plumber', 'Taupō')], search('plumber', 'TAUPŌ'))).toHaveLength(1);
});

test.each([
  '',
  '{',
  'null',
  '{}',
  '"text"',
  '[null]',
  '[{"q":1,"where":""}]',
  '[{"q":"","where":""}]',
  '[{"q":"x"}]',
  `[{"q":"${'x'.repeat(121)}","where":""}]`,
])('ignores %s in the storage', (stored) => expect(parseRecent(stored)).toEqual([]));

test('ignores invalid entries, and reads at most eight', () => {
  expect(parseRecent(JSON.stringify([7, { ...search('plumber', 'Taupō'), more: 1 }]))).toEqual([search('plumber', 'Taupō')]);
  expect(parseRecent(JSON.stringify(Array.from({ length: 20 }, (_, n) => search(`plumber ${n}`))))).toHaveLength(8);
});

test('offers all for an empty field, and those with its prefix otherwise', () => {
  const searches = [search('Plumber'), search('plumbing'), search('roofer')];
  expect(filterRecentSearches(searches, ' ')).toEqual(searches);
  expect(filterRecentSearches(searches, 'plumb')).toEqual([search('Plumber'), search('plumbing')]);
  expect(filterRecentSearches(searches, 'plumber')).toEqual([]);
});

test('stores searches in the browser until they are deleted, one or all', () => {
  const stored = new Map<string, string>();
  stubLocalStorage(stored);
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const q of ['tiler', ' roofer ', '  ']) saveRecentSearch(search(q, ' Taupō '));
  expect(readRecent()).toEqual([search('roofer', 'Taupō'), search('tiler', 'Taupō')]);
  // A blank search displaces no other.
  expect(JSON.parse([...stored.values()][0] ?? '')).toHaveLength(2);
  deleteRecentSearch(search('roofer', 'Taupō'));
  expect(readRecent()).toEqual([search('tiler', 'Taupō')]);
  saveRecentSearch(search('x'.repeat(200)));
  expect(readRecent()[0]).toEqual(search('x'.repeat(120)));
  deleteRecentSearches();
  expect(stored.size).toBe(0);
});
