import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The number of items of levels 1 and 2 in each section of the standard. */
const sections: Record<string, number> = {
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
};

test('the security page lists every item of its standard once, with its test', () => {
  const expected = Object.entries(sections).flatMap(([section, items]) =>
    Array.from({ length: items }, (_, index) => `${section}.${index + 1}`),
  );
  expect(rows.map(([, item]) => item)).toEqual(expected);
  for (const [, item, requirement, here] of rows)
    expect([item, (requirement ?? '').length > 5, (here ?? '').length > 3]).toEqual([item, true, true]);
});
