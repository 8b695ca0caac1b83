import { expect, test } from 'vitest';
import { toDisplayName } from './display-name.ts';

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['Plan.PDF', 'Plan.PDF'],
  ['invoice.html', 'invoice.html.pdf'],
  ['', '.pdf'],
  [`${'a'.repeat(90)}.hta`, `${'a'.repeat(76)}.pdf`],
  [`${'a'.repeat(75)}🛠 tools`, `${'a'.repeat(75)}.pdf`],
])('a PDF named %j is saved as %j', (filename, shown) => {
  expect(toDisplayName(filename, '.pdf')).toBe(shown);
});

test('without an ending to add, a name keeps its own', () => {
  expect([toDisplayName('C:\\plans\\kitchen.png'), toDisplayName('../\u202e'), toDisplayName(`${'a'.repeat(90)}.jpeg`)]).toEqual([
    'kitchen.png',
    'file',
    `${'a'.repeat(75)}.jpeg`,
  ]);
});
