import { expect, test } from 'vitest';
import { getSearchAddress } from './search-form.tsx';

test.each([
  [{ q: ' tap ', where: 'Hamilton' }, '/search?q=tap&where=Hamilton'],
  [{ q: '', where: ' ' }, '/search'],
  [{ q: 'a&b', where: '' }, '/search?q=a%26b'],
])('leads from a form with %j to %s', (fields, address) => {
  expect(getSearchAddress(Object.entries(fields))).toBe(address);
});
