import { expect, test } from 'vitest';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CsvError, type CsvLimits, formatCsv, parseCsv } from './csv.ts';

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

const generous = { maxColumns: 100, maxRecords: 1_000, maxRecordLength: 20_000 };
async function faultOf(bytes: Buffer | string, limits: CsvLimits = generous) {
  try {
    await parseCsv(Buffer.from(bytes as string), limits);
  } catch (error) {
    if (error instanceof CsvError) return [error.fault, error.line];
    throw error;
  }
  return [];
}

/** What csv-parse makes of a whole text; undefined if it is not a CSV. */
function parseWhole(text: string): string[][] | undefined {
  try {
    return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
  } catch {
    return undefined;
  }
}

test('counts columns and records as the parser makes them, whatever quotes and line ends there are', async () => {
  const texts = fc.array(fc.constantFrom('a', 'ā', ',', ',', '"', '""', '"a,b"', '"a\nb"', '\n', '\r\n', '\r', ' '), { maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(texts, async (pieces) => {
      const text = pieces.join('');
      const whole = parseWhole(text);
      if (!whole) return;
      const limits = { ...generous, maxColumns: Math.max(1, ...whole.map((cells) => cells.length)), maxRecords: whole.length };
      expect((await parseCsv(Buffer.from(text), limits)).map(({ cells }) => cells)).toEqual(whole);
      const oneColumnLess = { ...limits, maxColumns: limits.maxColumns - 1 };
      const oneRecordLess = { ...limits, maxRecords: whole.length - 1 };
      const faults = [
        limits.maxColumns > 1 ? (await faultOf(text, oneColumnLess))[0] : 'columns',
        whole.length > 0 ? (await faultOf(text, oneRecordLess))[0] : 'records',
      ];
      expect(faults).toEqual(['columns', 'records']);
    }),
    { numRuns: 1_000 },
  );
});

test('names the line of the record with too many columns, of a broken quote, and other encodings', async () => {
  expect(await faultOf(`a,b\n"c\nd",e\n${','.repeat(100)}\n`)).toEqual(['columns', 4]);
  expect(await faultOf(`a,b\r\n\r\n${','.repeat(100)}\r\n`)).toEqual(['columns', 3]);
  expect(await faultOf(`a,b\n${'c,d\n'.repeat(1_000)}`)).toEqual(['records', 1_001]);
  expect(await faultOf('a,b\n"c')).toEqual(['syntax', 2]);
  expect(await faultOf(Buffer.from('caf\xe9', 'latin1'))).toEqual(['encoding', 0]);
});

const megabytes = 5_000_000;
const hostile = {
  commas: ','.repeat(megabytes),
  'commas after a header': `a,b\n${','.repeat(megabytes)}`,
  semicolons: ';'.repeat(megabytes),
  'line ends': '\n'.repeat(megabytes),
  quotes: '"'.repeat(megabytes),
  'commas in a quote': `"${','.repeat(megabytes)}`,
  'a hundred columns in ten thousand rows': `${','.repeat(99)}\n`.repeat(10_000),
  'long rows': `"${'x'.repeat(495)}"\n`.repeat(10_000),
};

test.each(Object.entries(hostile))('answers other requests while it reads five megabytes of %s', async (_, text) => {
  const bytes = Buffer.from(text);
  let longest = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  await faultOf(bytes, { ...generous, maxRecords: 10_001 });
  clearInterval(timer);
  longest = Math.max(longest, performance.now() - before);
  // 50 ms on a machine of its own, more beside other tests; in one piece, commas take 7 seconds and more.
  expect(longest).toBeLessThan(3_000);
});
