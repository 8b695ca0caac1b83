import { importTemplate, maxImportRows } from '@handwise/contract/invitations/words';
import { AppError } from '../../kit/errors.ts';
import { expect, test } from 'vitest';
import { parseImport } from './invitations.rules.ts';

const header = 'name,trade,place,phone,email,website,nzbn,abn,text';
const good = 'Kingi Plumbing,Plumbing,Taupo,07 345 6789,office@kingi.example,kingi.example,9429041234567,,Hi';
const read = (text: string, country: 'NZ' | 'AU' = 'NZ') => parseImport(Buffer.from(text), country);
const readOne = (row: string) => read(`${header}\n${row}\n`).rows[0];

function fileProblem(bytes: Buffer | string): string {
  try {
    parseImport(Buffer.from(bytes as string), 'NZ');
  } catch (error) {
    if (error instanceof AppError) return error.fields.map(({ field }) => field).join();
    throw error;
  }
  return 'none';
}

test('the template is a file without problems', () => {
  expect(read(importTemplate).rows).toMatchObject([
    { line: 2, problems: [], draft: { businessName: 'Kingi Plumbing', category: 'Plumbing', district: 'Taupō', region: 'Waikato' } },
  ]);
});

test.each([
  ['a byte order mark', `\ufeff${header}\n${good}\n`],
  ['Windows line ends', `${header}\r\n${good}\r\n`],
  ['blank lines', `${header}\n\n${good}\n\n`],
  ['semicolons', `${header}\n${good}\n`.replaceAll(',', ';')],
  ['capitals in the header', `${header.toUpperCase()}\n${good}\n`],
])('reads a file with %s', (_, text) => {
  expect(read(text.replace('9429041234567', '')).rows.map(({ draft }) => draft?.businessName)).toEqual(['Kingi Plumbing']);
});

test('reads quoted cells with commas, quotes and line breaks', () => {
  const row = readOne('"Kingi, Rua ""& Co""",Plumbing,Taupō,,a@b.example,,,,"One\nTwo"');
  expect(row?.draft).toMatchObject({ businessName: 'Kingi, Rua "& Co"', text: 'One\nTwo' });
});

test.each([
  ['an empty file', ''],
  ['Windows-1252', Buffer.from(`${header}\nCaf\xe9,,,,,,,,`, 'latin1')],
  ['a header without email', 'name,trade,place\na,b,c'],
  ['a column twice', `${header},name\n${good},x`],
  ['only a header', header],
  ['an open quote', `${header}\n"Kingi`],
  ['too many rows', `${header}\n${`${good}\n`.repeat(maxImportRows + 1)}`],
  ['too many columns', `${header}${',x'.repeat(100)}\n${good}`],
  ['a record without end', `${header}\n"${'x'.repeat(30_000)}"`],
])('rejects %s as a whole', (_, bytes) => {
  expect(fileProblem(bytes)).toBe('file');
});

test('reads as many rows as are allowed', () => {
  expect(read(`${header}\n${`${good}\n`.repeat(maxImportRows)}`).rows).toHaveLength(maxImportRows);
});

test.each([
  ['no name', ',Plumbing,Taupō,,a@b.example', 'name'],
  ['a control character', 'Ki\u0007ngi,Plumbing,Taupō,,a@b.example', 'name'],
  ['an unknown trade', 'Kingi,Alchemy,Taupō,,a@b.example', 'trade'],
  ['a trade of two categories', 'Kingi,Residential,Taupō,,a@b.example', 'trade'],
  ['a place of the other country', 'Kingi,Plumbing,Ballarat,,a@b.example', 'place'],
  ['a wrong address', 'Kingi,Plumbing,Taupō,,a@b', 'email'],
  ['two addresses', 'Kingi,Plumbing,Taupō,,"a@b.example,c@d.example"', 'email'],
  ['a wrong number', 'Kingi,Plumbing,Taupō,,a@b.example,,9429041234568', 'nzbn'],
  ['a private website', 'Kingi,Plumbing,Taupō,,a@b.example,http://localhost', 'website'],
  ['a formula as phone', 'Kingi,Plumbing,Taupō,=1+1,a@b.example', 'phone'],
  ['a long text', `Kingi,Plumbing,Taupō,,a@b.example,,,,${'x'.repeat(501)}`, 'text'],
  ['too many cells', `${good.replace('9429041234567', '')},more`, ''],
])('names the column of a row with %s', (_, row, column) => {
  expect(readOne(row)).toMatchObject({ draft: null, problems: [{ column }] });
});

test('names every problem of a row', () => {
  expect(readOne(',,,,')?.problems.map(({ column }) => column)).toEqual(['name', 'email', 'trade', 'place']);
});

test('ignores columns that decide money or a state, and unknown ones', () => {
  const { ignored, rows } = read(
    `${header},plan,Price_Paid,STATUS,featured,notes\n${good.replace('9429041234567', '')},premium,0,active,yes,x`,
  );
  expect(ignored.map(({ name, reason }) => [name, reason])).toEqual([
    ['plan', 'protected'],
    ['price_paid', 'protected'],
    ['status', 'protected'],
    ['featured', 'protected'],
    ['notes', 'unknown'],
  ]);
  expect(JSON.stringify(rows)).not.toContain('premium');
});
