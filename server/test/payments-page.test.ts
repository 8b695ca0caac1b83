import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/payments.md'), 'utf8');

/** The rows of the table under a heading, as their cells. */
function rowsUnder(heading: string): string[][] {
  const section = page.split(/^#{2,3} /m).find((part) => part.startsWith(`${heading}\n`));
  const lines = section?.split('\n').filter((line) => line.startsWith('|')) ?? [];
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const events = rowsUnder('Each event and fault, and who sees what');
const tested = rowsUnder('The tests of each row');
const attacks = rowsUnder('Attacks and their tests');

test('the page about payments says of each event and fault what the books, the payer and the operator see, and names its tests', () => {
  expect(events.length).toBeGreaterThan(25);
  for (const cells of events) expect([cells[0], cells.length, cells.every((cell) => cell !== '')]).toEqual([cells[0], 4, true]);
  expect(tested.map(([what]) => what)).toEqual(events.map(([what]) => what));
  expect(attacks.length).toBeGreaterThan(10);
});

test.each([...tested, ...attacks])('the tests of “%s” are there under their titles', (_, tests = '') => {
  const named = [...tests.matchAll(/`([\w./-]+\.test\.ts)`: ([^`]+?)(?=; `|$)/g)].map(([, file = '', title = '']) => ({ file, title }));
  expect(named.length).toBeGreaterThan(0);
  for (const { file, title } of named) expect(readFileSync(join(root, file), 'utf8')).toContain(`'${title}'`);
});
