import { expect, test } from 'vitest';
import { formatCsv } from './csv.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+64', "'+64"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['a,b', '"a,b"'],
  ['say "a"', '"say ""a"""'],
  ['=a,b', '"\'=a,b"'],
  ['plain', 'plain'],
])('writes %s into a CSV as %s', (text, cell) => {
  expect(formatCsv([[text, 'x']])).toBe(`${cell},x\r\n`);
});
