import { expect, test } from 'vitest';
import { getRequestedPage, listPageItems } from './page-links.tsx';

const shown = (current: number, total: number) =>
  listPageItems(current, total)
    .map((item) => (item === 'gap' ? '…' : item))
    .join(' ');

test.each([
  [1, 0, ''],
  [1, 1, '1'],
  [2, 3, '1 2 3'],
  [1, 5, '1 2 3 4 5'],
  [5, 5, '1 2 3 4 5'],
  [1, 6, '1 2 … 6'],
  [2, 6, '1 2 3 … 6'],
  [3, 6, '1 2 3 4 … 6'],
  [4, 6, '1 … 3 4 5 6'],
  [6, 6, '1 … 5 6'],
  [5, 10, '1 … 4 5 6 … 10'],
  [250, 500, '1 … 249 250 251 … 500'],
  [500, 500, '1 … 499 500'],
  // A URL can name a page beyond the last, which still links back.
  [9, 7, '1 … 7'],
])('page %i of %i shows "%s"', (current, total, expected) => {
  expect(shown(current, total)).toBe(expected);
});

test.each([
  [null, 1],
  ['1', 1],
  ['120', 120],
  ['999999', 999_999],
  ['', null],
  ['0', null],
  ['01', null],
  ['2.5', null],
  ['-3', null],
  ['1000000', null],
  ['two', null],
])('reads page %s of an address as %s', (text, page) => {
  expect(getRequestedPage(text)).toBe(page);
});
