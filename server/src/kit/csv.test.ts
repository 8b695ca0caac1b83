import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getBusyMs } from '@handwise/sandbox/testing/busy-time';
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
  expect(formatCsv([[text, 'x']])).toBe(`\ufeff${cell},x\r\n`);
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

const cellsOf = async (text: string | Buffer) => (await parseCsv(Buffer.from(text as string), generous)).map(({ cells }) => cells);
const linesOf = async (text: string) => (await parseCsv(Buffer.from(text), generous)).map(({ line }) => line);

/** What csv-parse makes of a text with one kind of line end; undefined if it is not a CSV. */
function parseWhole(text: string): string[][] | undefined {
  try {
    const options = { relax_column_count: true, skip_empty_lines: true, relax_quotes: true, record_delimiter: '\n' };
    return parse(text.replace(/\r\n?/g, '\n'), options).filter((cells) => cells.some((cell) => cell.trim() !== ''));
  } catch {
    return undefined;
  }
}

test('reads what csv-parse reads, and counts columns and records, whatever quotes and line ends there are', async () => {
  const texts = fc.array(fc.constantFrom('a', 'ā', ',', ',', '"', '""', '"a,b"', '"a\nb"', '\n', '\r\n', '\r', ' '), { maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(texts, async (pieces) => {
      const text = pieces.join('');
      const whole = parseWhole(text);
      if (!whole) return;
      const limits = { ...generous, maxColumns: Math.max(1, ...whole.map((cells) => cells.length)), maxRecords: whole.length };
      // Records without content count their columns too.
      if ((await faultOf(text, limits))[0] === 'columns') return;
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

test.each(['\n', '\r\n', '\r'])('reads the line ends %j, mixed with others', async (end) => {
  expect(await cellsOf(`a,b${end}c,d\ne,f\r\ng,h`)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', 'h'],
  ]);
});

test.each([
  ['commas', 'name,town\n"Kingi, Plumbing",Taupō\n'],
  ['semicolons', 'name;town\n"Kingi, Plumbing";Taupō\n'],
  ['semicolons, although a name has more commas', '"name, of, a, business";town\nKingi, Plumbing;Taupō\n'],
  ['tabs', 'name\ttown\nKingi, Plumbing\tTaupō\n'],
  ['a declared delimiter', 'sep=;\r\nname;town\r\nKingi, Plumbing;Taupō\r\n'],
  ['a declared delimiter that is rare', 'SEP=|\nname|town\nKingi, Plumbing|Taupō\n'],
  ['a byte order mark', '\ufeffname,town\n"Kingi, Plumbing",Taupō'],
  ['a byte order mark and a declaration', '\ufeffsep=,\nname,town\n"Kingi, Plumbing",Taupō'],
  ['empty rows above', ',,\n\nname,town\n"Kingi, Plumbing",Taupō'],
])('reads %s', async (_, text) => {
  const [header = [], row] = await cellsOf(text);
  expect([header.length, row]).toEqual([2, ['Kingi, Plumbing', 'Taupō']]);
});

test('reads the UTF-16 of a spreadsheet', async () => {
  expect(await cellsOf(Buffer.from('\ufeffname\ttown\r\nKingi\tTaupō\r\n', 'utf16le'))).toEqual([
    ['name', 'town'],
    ['Kingi', 'Taupō'],
  ]);
});

test('skips rows without content, which count as lines and not as records', async () => {
  const text = `name,town\r\nKingi,Taupō\r\n,\r\n , \r\n"",\r\n\r\nRua,Taupō\r\n${',,,,\r\n'.repeat(2_000)}`;
  expect(await cellsOf(text)).toEqual([
    ['name', 'town'],
    ['Kingi', 'Taupō'],
    ['Rua', 'Taupō'],
  ]);
  expect(await linesOf(text)).toEqual([1, 2, 7]);
});

test('numbers lines as the file has them, a record by its last', async () => {
  expect(await linesOf('a,b\n"c\nd",e\r\n\r\nf,"g\r\n\r\nh"\ri,j')).toEqual([1, 3, 7, 8]);
  expect(await linesOf('sep=,\na,b\n\nc,d')).toEqual([2, 4]);
});

test.each([
  ['5" pipe,x', ['5" pipe', 'x']],
  ['Bob "The Builder" Smith,x', ['Bob "The Builder" Smith', 'x']],
  ['"Bob" Smith,x', ['"Bob" Smith', 'x']],
  ['"say ""a""",x', ['say "a"', 'x']],
])('reads the quotes of %s', async (row, cells) => {
  expect(await cellsOf(`a,b\n${row}\n`)).toEqual([['a', 'b'], cells]);
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
  let before = getBusyMs();
  const timer = setInterval(() => {
    longest = Math.max(longest, getBusyMs() - before);
    before = getBusyMs();
  }, 1);
  await faultOf(bytes, { ...generous, maxRecords: 10_001 });
  clearInterval(timer);
  longest = Math.max(longest, getBusyMs() - before);
  // The thread's own time, whatever runs beside: at most 200 ms; in one piece, commas take 7 seconds and more.
  expect(longest).toBeLessThan(3_000);
});
