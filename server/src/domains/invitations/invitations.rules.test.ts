import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importTemplate, maxImportRows } from '@handwise/contract/invitations/words';
import { AppError } from '../../kit/errors.ts';
import { listColumns, parseImport, resolvePlace, resolveTrade } from './invitations.rules.ts';

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

test('a source says where and when, and is as the file has it', async () => {
  const own = `${header},source\n${good.replace('9429041234567', '')}`;
  const sourceOf = async (text: string) => (await read(`${own},"${text}"`)).rows[0];
  const known = await sourceOf('kingi.example/contact, 20 Nov 2026');
  expect(known?.draft?.source).toBe('kingi.example/contact, 20 Nov 2026');
  expect((await sourceOf(''))?.draft?.source).toBe('');
  expect(await sourceOf('kingi.example')).toMatchObject({ draft: null, problems: [{ column: 'source', value: 'kingi.example' }] });
  expect((await sourceOf('x'.repeat(198) + 2026))?.problems).toMatchObject([{ column: 'source' }]);
});

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
    { column: 'trade', value: '', message: 'Add the trade' },
    { column: 'place', value: '', message: 'Add the place' },
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
  expect((await readOne(',,,07 345 6789,'))?.problems.map(({ column }) => column)).toEqual(['name', 'email', 'trade', 'place']);
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

const own = (file: string) => readFile(join(import.meta.dirname, '../../../test/imports', file));

test.each([
  ['csv-rows-of-commas.csv', [2, 3]],
  ['csv-crlf-header-lf-rows.csv', [2, 3]],
  ['csv-tabs.csv', [2, 3]],
])('reads %s, which was refused, with the lines of the file', async (file, lines) => {
  const { rows } = await parseImport(await own(file), 'NZ');
  expect(rows.map(({ line, problems }) => [line, problems])).toEqual(lines.map((line) => [line, []]));
});

test('ignores extra cells that are empty', async () => {
  expect(await readOne(`${good.replace('9429041234567', '')},,,`)).toMatchObject({
    problems: [],
    draft: { businessName: 'Kingi Plumbing' },
  });
});

test.each([
  ['Business name;Trade;Town;E-mail', { name: 'business name', trade: 'trade', place: 'town', email: 'e-mail' }],
  ['Company;Category;Suburb;Email address', { name: 'company', trade: 'category', place: 'suburb', email: 'email address' }],
  [
    'Trading Name;Services;Town/City;Mail;Mobile;URL',
    { name: 'trading name', trade: 'services', place: 'town/city', email: 'mail', phone: 'mobile', website: 'url' },
  ],
  // Our own name wins over what others call it.
  ['Company;name;trade;city;place;email', { name: 'name', trade: 'trade', place: 'place', email: 'email' }],
  ['name;trade;place;email;business_number', { name: 'name', trade: 'trade', place: 'place', email: 'email', nzbn: 'business_number' }],
])('recognises the columns of %s', async (names, recognised) => {
  expect(await listColumns(Buffer.from(`${names}\n`), 'NZ')).toMatchObject({ recognised, missing: [] });
});

test('lists the columns of a file with examples, and what is missing', async () => {
  const file = 'Business name;Town;E-mail;Notes\n;Taupō;;\nKingi;Taupō;a@b.example;\n';
  expect(await listColumns(Buffer.from(file), 'NZ')).toEqual({
    columns: [
      { name: 'business name', example: 'Kingi' },
      { name: 'town', example: 'Taupō' },
      { name: 'e-mail', example: 'a@b.example' },
      { name: 'notes', example: '' },
    ],
    recognised: { name: 'business name', place: 'town', email: 'e-mail' },
    missing: ['trade'],
  });
});

test('reads columns as they were mapped, with one trade for all, and ignores the rest', async () => {
  const file = Buffer.from('Wer;Wo;Post;name\nKingi;Taupō;a@b.example;x\n');
  const columns = { name: 'Wer', place: 'Wo', email: 'Post' };
  const { rows, ignored } = await parseImport(file, 'NZ', { columns, trade: 'Plumber' });
  expect(rows).toMatchObject([{ draft: { businessName: 'Kingi', category: 'Plumbing', district: 'Taupō', email: 'a@b.example' } }]);
  expect(ignored).toEqual([{ name: 'name', reason: 'unknown' }]);
  await expect(parseImport(file, 'NZ', { columns })).rejects.toMatchObject({
    fields: [{ field: 'file', message: 'Add the columns that are missing: trade' }],
  });
  await expect(parseImport(file, 'NZ', { columns: { ...columns, trade: 'Was' } })).rejects.toMatchObject({
    fields: [{ field: 'columns', message: 'This file has no column “was”' }],
  });
});

test('reads business_number as the number of the country', async () => {
  const file = (number: string) => `name,trade,place,email,business_number\nKingi,Plumbing,PLACE,a@b.example,${number}\n`;
  const [nz] = (await read(file('9429041234563').replace('PLACE', 'Taupō'))).rows;
  const [au] = (await read(file('51 824 753 556').replace('PLACE', 'Ballarat'), 'AU')).rows;
  expect([nz?.draft?.businessNumber, au?.draft?.businessNumber]).toEqual(['9429041234563', '51824753556']);
  const [wrong] = (await read(file('9429041234568').replace('PLACE', 'Taupō'))).rows;
  expect(wrong?.problems).toMatchObject([{ column: 'nzbn', value: '9429041234568' }]);
});

test('names the business and the value of a refused row', async () => {
  expect(await readOne('Kingi,Alchemy,Taupō,,office at kingi')).toMatchObject({
    name: 'Kingi',
    draft: null,
    problems: [
      { column: 'email', value: 'office at kingi', message: 'This is not an email address' },
      { column: 'trade', value: 'Alchemy', message: 'Use the name of a category or sub-category, or of a trade such as Plumber' },
    ],
  });
  expect((await readOne(`Kingi,${'x'.repeat(200)},Taupō,,a@b.example`))?.problems[0]?.value).toBe(`${'x'.repeat(100)}…`);
});

test('reads cells without what nobody typed, and still refuses a name that could deceive', async () => {
  const row = await readOne(
    '\u2068Kingi\u200b Plumbing\u2069,Plumb\u00ading,Tau\u200bpō,07\u2011345\u20116789,\u202aa@b.example\u202c,\ufeffkingi.example',
  );
  expect(row).toMatchObject({
    problems: [],
    draft: { businessName: 'Kingi Plumbing', category: 'Plumbing', district: 'Taupō', phone: '07-345-6789', email: 'a@b.example' },
  });
  expect(await readOne('Kingi \u202egnibmulP,Plumbing,Taupō,,a@b.example')).toMatchObject({ draft: null, problems: [{ column: 'name' }] });
});

test('completes a local number of an Australian place, or asks for its area code', async () => {
  const phoneOf = async (place: string, phone: string) => {
    const [row] = (await read(`${header}\nKingi,Plumbing,${place},${phone},a@b.example`, 'AU')).rows;
    return row?.draft?.phone ?? row?.problems.map(({ column, value, message }) => [column, value, message]);
  };
  expect(await phoneOf('Ballarat', '9123 4567')).toBe('+61 3 9123 4567');
  expect(await phoneOf('Ballarat', '(03) 9123 4567')).toBe('(03) 9123 4567');
  expect(await phoneOf('Ballarat', '3123 4567')).toEqual([['phone', '3123 4567', 'Add the area code, such as 03']]);
});

test.each([
  ['Plumber', 'Plumbing', ''],
  ['plumbers', 'Plumbing', ''],
  ['Electrician', 'Electrical & Gas', 'Electricians'],
  ['Builder', 'Building & Construction', ''],
  ['Gasfitter', 'Electrical & Gas', 'Gas fitting'],
  ['Fencing', 'Concrete & Driveways', 'Fencing & gates'],
  ['Lawn mowing', 'Landscape & Lawn Maintenance', 'Lawn maintenance'],
  ['Licensed electrician', 'Electrical & Gas', 'Electricians'],
  ['Plumbing services', 'Plumbing', ''],
  ['Painter & decorator', 'Painting', ''],
  ['Plumber / drainlayer', 'Plumbing', ''],
  ['Plumbing', 'Plumbing', ''],
  ['Gas fitting', 'Electrical & Gas', 'Gas fitting'],
])('reads the trade “%s”', (text, category, subCategory) => {
  expect(resolveTrade(text)).toMatchObject({ category, subCategory });
});

test.each([
  ['Alchemy', 'Use the name of a category or sub-category, or of a trade such as Plumber'],
  ['Plumber & gasfitter', 'There are several of this name. Write "Plumbing" or "Gas fitting"'],
])('says what to write instead of the trade “%s”', (text, problem) => {
  expect(resolveTrade(text)).toEqual({ problem });
});

test.each(['Landscaper', 'Window cleaner', 'Residential', 'Plumber & gasfitter'])(
  'accepts each name that it lists for the trade “%s”',
  (text) => {
    const { problem } = resolveTrade(text) as { problem: string };
    const names = [...problem.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(2);
    for (const name of names) expect(resolveTrade(name)).toHaveProperty('category');
  },
);
