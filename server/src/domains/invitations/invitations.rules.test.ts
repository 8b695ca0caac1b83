import { importTemplate, maxImportRows } from '@handwise/contract/invitations/words';
import { AppError } from '../../kit/errors.ts';
import { expect, test } from 'vitest';
import { parseImport, resolvePlace } from './invitations.rules.ts';

const header = 'name,trade,place,phone,email,website,nzbn,abn,text';
const good = 'Kingi Plumbing,Plumbing,Taupo,07 345 6789,office@kingi.example,kingi.example,9429041234567,,Hi';
const read = (text: string, country: 'NZ' | 'AU' = 'NZ') => parseImport(Buffer.from(text), country);
const readOne = async (row: string) => (await read(`${header}\n${row}\n`)).rows[0];

async function fileProblem(bytes: Buffer | string): Promise<string> {
  try {
    await parseImport(Buffer.from(bytes as string), 'NZ');
  } catch (error) {
    if (error instanceof AppError) return error.fields.map(({ field, message }) => `${field}: ${message}`).join();
    throw error;
  }
  return 'none';
}

test('the template is a file without problems', async () => {
  expect((await read(importTemplate)).rows).toMatchObject([
    { line: 2, problems: [], draft: { businessName: 'Kingi Plumbing', category: 'Plumbing', district: 'Taupō', region: 'Waikato' } },
  ]);
});

test.each([
  ['a byte order mark', `\ufeff${header}\n${good}\n`],
  ['Windows line ends', `${header}\r\n${good}\r\n`],
  ['blank lines', `${header}\n\n${good}\n\n`],
  ['semicolons', `${header}\n${good}\n`.replaceAll(',', ';')],
  ['capitals in the header', `${header.toUpperCase()}\n${good}\n`],
])('reads a file with %s', async (_, text) => {
  expect((await read(text.replace('9429041234567', ''))).rows.map(({ draft }) => draft?.businessName)).toEqual(['Kingi Plumbing']);
});

test('reads quoted cells with commas, quotes and line breaks', async () => {
  const row = await readOne('"Kingi, Rua ""& Co""",Plumbing,Taupō,,a@b.example,,,,"One\nTwo"');
  expect(row?.draft).toMatchObject({ businessName: 'Kingi, Rua "& Co"', text: 'One\nTwo' });
});

test.each([
  ['an empty file', '', 'This file is empty'],
  ['Windows-1252', Buffer.from(`${header}\nCaf\xe9,,,,,,,,`, 'latin1'), 'This file is not in UTF-8. Save it as "CSV UTF-8"'],
  ['a header without required columns', 'place,phone\na,b', 'Add the columns that are missing: name, trade, email'],
  ['a column twice', `${header},name\n${good},x`, 'The column "name" is there twice'],
  ['only a header', header, 'This file has a header but no rows'],
  ['an open quote', `${header}\n"Kingi`, 'This file could not be read as CSV: look at line 2'],
  ['too many rows', `${header}\n${`${good}\n`.repeat(maxImportRows + 1)}`, 'Use at most 10,000 rows'],
  ['too many columns', `${header}${',x'.repeat(92)}\n${good}`, 'Use at most 100 columns'],
  ['a record without end', `${header}\n"${'x'.repeat(30_000)}"`, 'This file could not be read as CSV: look at line 2'],
])('rejects %s as a whole', async (_, bytes, message) => {
  expect(await fileProblem(bytes)).toBe(`file: ${message}`);
});

test('reads as many columns as are allowed, and ignores those without a name', async () => {
  const { rows, ignored } = await read(`${header}${','.repeat(91)}\n${good}`);
  expect(rows).toHaveLength(1);
  expect(ignored).toEqual([]);
});

test('finds a row by its last line', async () => {
  const { rows } = await read(`${header}\n"Kingi\nPlumbing",,,,,,,,\n\nRua,,,,,,,,\n`);
  expect(rows.map(({ line }) => line)).toEqual([3, 5]);
});

test('reads a sub-category as the trade, and the business number of the country', async () => {
  const row = await readOne('Kingi,Gas fitting,Taupō,,a@b.example,,9429041234563,not one,');
  expect(row).toMatchObject({
    problems: [],
    draft: { mainCategory: 'trade', category: 'Electrical & Gas', subCategory: 'Gas fitting', businessNumber: '9429041234563' },
  });
  const [australian] = (await read(`${header}\nKingi,Plumbing,Ballarat,,a@b.example,,not one,51 824 753 556,`, 'AU')).rows;
  expect(australian).toMatchObject({ problems: [], draft: { subCategory: '', businessNumber: '51824753556' } });
});

test('says once that a cell of spaces is missing', async () => {
  const row = await readOne('Kingi,  ,  ,,a@b.example,,  ,,');
  expect(row?.problems).toEqual([
    { column: 'trade', message: 'Add the trade' },
    { column: 'place', message: 'Add the place' },
  ]);
});

test('reads as many rows as are allowed', async () => {
  expect((await read(`${header}\n${`${good}\n`.repeat(maxImportRows)}`)).rows).toHaveLength(maxImportRows);
});

test.each([
  ['no name', ',Plumbing,Taupō,,a@b.example', 'name'],
  ['a control character', 'Ki\u0007ngi,Plumbing,Taupō,,a@b.example', 'name'],
  ['an unknown trade', 'Kingi,Alchemy,Taupō,,a@b.example', 'trade'],
  ['a trade of two categories', 'Kingi,Residential,Taupō,,a@b.example', 'trade'],
  ['a place of the other country', 'Kingi,Plumbing,Ballarat,,a@b.example', 'place'],
  ['a place that several have', 'Kingi,Plumbing,Richmond,,a@b.example', 'place'],
  ['a wrong address', 'Kingi,Plumbing,Taupō,,a@b', 'email'],
  ['two addresses', 'Kingi,Plumbing,Taupō,,"a@b.example,c@d.example"', 'email'],
  ['a wrong number', 'Kingi,Plumbing,Taupō,,a@b.example,,9429041234568', 'nzbn'],
  ['a private website', 'Kingi,Plumbing,Taupō,,a@b.example,http://localhost', 'website'],
  ['a formula as phone', 'Kingi,Plumbing,Taupō,=1+1,a@b.example', 'phone'],
  ['a long text', `Kingi,Plumbing,Taupō,,a@b.example,,,,${'x'.repeat(501)}`, 'text'],
  ['too many cells', `${good.replace('9429041234567', '')},more`, ''],
])('names the column of a row with %s', async (_, row, column) => {
  expect(await readOne(row)).toMatchObject({ draft: null, problems: [{ column }] });
});

test('names every problem of a row', async () => {
  expect((await readOne(',,,,'))?.problems.map(({ column }) => column)).toEqual(['name', 'email', 'trade', 'place']);
});

test('ignores columns that decide money or a state, and unknown ones', async () => {
  const { ignored, rows } = await read(
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

test.each([
  ['a district', 'taupo', 'NZ', ['Waikato', 'Taupō', '']],
  ['a district with its region', 'Taupō, Waikato', 'NZ', ['Waikato', 'Taupō', '']],
  ['a suburb', 'Ponsonby', 'NZ', ['Auckland', 'Auckland', 'Ponsonby']],
  ['a suburb with city, country and postcode', 'Ponsonby, Auckland 1011, New Zealand', 'NZ', ['Auckland', 'Auckland', 'Ponsonby']],
  ['a suburb with its state', 'Newtown NSW', 'AU', ['New South Wales', 'Sydney', 'Newtown']],
  ['a suburb with its postcode', 'Newtown 3220', 'AU', ['Victoria', 'Geelong', 'Newtown']],
  ['a city that is a region', 'Auckland', 'NZ', ['Auckland', 'Auckland', '']],
  ['a city that is a region and a district of another name', 'Wellington', 'NZ', ['Wellington', 'Wellington City', 'Wellington']],
  ['a city that has the name of a small town', 'Perth', 'AU', ['Western Australia', 'Perth', '']],
  ['a name whose surroundings two places fit', 'Avondale, Marlborough', 'NZ', ['Marlborough', 'Marlborough', 'Avondale']],
] as const)('finds %s', (_, text, country, [region, district, base]) => {
  expect(resolvePlace(text, country)).toEqual({ region, district, base });
});

test.each([
  [
    'several towns',
    'Richmond',
    'NZ',
    'There are several of this name. Write "Richmond, Tasman", "Richmond, Nelson", "Richmond, Canterbury" or "Richmond, Southland"',
  ],
  ['a typing error', 'Tapuo', 'NZ', 'We do not know this place. Do you mean "Taupō, Waikato" or "Tapu, Waikato"?'],
  ['a region', 'Waikato', 'NZ', 'Use a town, suburb or district of Waikato'],
  ['a region with a suburb of its name elsewhere', 'Northland', 'NZ', 'Use a town, suburb or district of Northland'],
  ['a country', 'Australia', 'AU', 'Use a town, suburb or district of Australia'],
  ['the other country', 'Ballarat', 'NZ', 'Use a town, suburb or district of New Zealand'],
  ['a street', '12 Rimu Street, Ponsonby', 'NZ', 'Use a town, suburb or district of New Zealand'],
] as const)('says what to write instead of %s', (_, text, country, problem) => {
  expect(resolvePlace(text, country)).toEqual({ problem });
});

test('accepts each of the names that it lists', () => {
  const { problem } = resolvePlace('Newtown', 'AU') as { problem: string };
  const names = [...problem.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  expect(names).toHaveLength(5);
  expect(names.map((name) => resolvePlace(name, 'AU'))).toEqual(
    names.map(() => expect.objectContaining({ base: expect.stringContaining('Newtown') })),
  );
});
