import { expect, test } from 'vitest';
import { listTowns } from './where-question.tsx';

test('offers the towns of the time zone, in the country of the search', () => {
  expect(listTowns('AU', 'Australia/Perth')[0]).toBe('Perth');
  expect(listTowns('NZ', 'Pacific/Auckland')[0]).toBe('Auckland');
  expect(listTowns('NZ', 'Australia/Perth')[0]).toBe('Auckland');
  expect(listTowns('AU', 'Europe/London')[0]).toBe('Sydney');
});
