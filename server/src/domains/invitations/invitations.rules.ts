import type { z } from 'zod';
import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import {
  businessNumberColumn,
  importColumns,
  type ImportColumn,
  type ImportMapping,
  maxImportRows,
} from '@handwise/contract/invitations/words';
import {
  type Category,
  findCategory,
  findCategoryByCode,
  findSubCategories,
  getGroupCode,
  type SubCategory,
} from '@handwise/contract/listings/categories';
import { cleanMachineText } from '@handwise/contract/machine-text';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { count } from '@handwise/contract/numbers';
import { formatPhoneNumber, readPhoneNumber, type ReadPhoneNumber } from '@handwise/contract/phone';
import { findDistrict, findDistrictByCode, findRegionByDistrict, listRegions } from '@handwise/contract/places/regions';
import { parseBusinessNumber, businessRegisters } from '@handwise/contract/registers/business-number';
import { findTrade, isFillerWord } from '@handwise/contract/search/trades';
import { businessPhone } from '@handwise/contract/selling/forms';
import { findClosedProblem } from '@handwise/contract/site/open';
import { fold, splitWords } from '@handwise/contract/text';
import { emailAddress, line, lines, requiredLine } from '@handwise/contract/text-fields';
import { webAddress } from '@handwise/contract/web-address';
import { CsvError, type CsvRecord, parseCsv } from '../../kit/csv.ts';
import { invalidField } from '../../kit/errors.ts';
import { openPauses } from '../../kit/event-loop.ts';
import { headerText } from '../../kit/mail/mail.ts';
import { findBaseName, listPlacesByName, type Place } from '../places/places.service.ts';

/** `value` is what the file says. */
export type RowProblem = { column: string; value: string; message: string };
/** `name` is the business's as the file has it. */
type ParsedRow = { line: number; name: string; draft: InvitationDraft | null; problems: RowProblem[] };
export type IgnoredColumn = { name: string; reason: 'protected' | 'unknown' };
export type ParsedFile = { rows: ParsedRow[]; ignored: IgnoredColumn[] };

/** Columns that decide money or a state are never taken from a file. */
const protectedColumns =
  /^(plan|price|price ?paid|amount|paid|payment|status|state|featured|premium|verified|rating|reviews?|free|role|tickets?|credits?)\b/;
const maxColumns = 100;
const maxRecordLength = 20_000;

const rejectFile = (message: string): never => {
  throw invalidField('file', message);
};

const longestShown = 100;
const shorten = (text: string) => {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
  return plain.length > longestShown ? `${plain.slice(0, longestShown).toWellFormed()}…` : plain;
};
const toHeaderName = (cell: string) => headerText(cleanMachineText(cell), 60).toLowerCase();

/** What one column is called in another file: letters and digits only. */
const toColumnKey = (name: string) => fold(name).replace(/[^\p{L}\p{N}]/gu, '');

/** Our columns among these names: by our own name, else by what others call them; a name means one column. */
function recogniseColumns(names: readonly string[], country: CountryCode): ImportMapping {
  const keys = names.map(toColumnKey);
  const found: ImportMapping = {};
  const taken = new Set<string>();
  const take = (column: ImportColumn, key: string) => {
    const name = names[keys.indexOf(key)];
    if (found[column] !== undefined || name === undefined || taken.has(name)) return;
    found[column] = name;
    taken.add(name);
  };
  const columns = Object.keys(importColumns) as ImportColumn[];
  for (const column of columns) take(column, column);
  for (const column of columns) for (const key of importColumns[column].also) take(column, key);
  take(country === 'NZ' ? 'nzbn' : 'abn', businessNumberColumn);
  return found;
}

const listMissing = (mapping: ImportMapping): ImportColumn[] =>
  (Object.keys(importColumns) as ImportColumn[]).filter((column) => importColumns[column].isRequired && mapping[column] === undefined);

/** The columns of a file with an example of each. Throws `invalid_input` about the file as a whole. */
export async function listColumns(bytes: Buffer, country: CountryCode) {
  const { names, records } = await readFileRecords(bytes);
  const recognised = recogniseColumns(names, country);
  const columns = names.flatMap((name, index) => {
    const example = records.find(({ cells }) => cells[index]?.trim())?.cells[index] ?? '';
    return name === '' ? [] : [{ name, example: shorten(example) }];
  });
  return { columns, recognised, missing: listMissing(recognised) };
}

type ImportOptions = { columns?: ImportMapping | undefined; trade?: string | undefined };

/** Reads a CSV of businesses. Throws `invalid_input` about the file as a whole; problems of single rows are in the rows. */
export async function parseImport(bytes: Buffer, country: CountryCode, { columns, trade = '' }: ImportOptions = {}): Promise<ParsedFile> {
  const { names, records } = await readFileRecords(bytes);
  const chosen = Object.fromEntries(
    Object.entries(columns ?? {}).flatMap(([column, name]) => (name === '' ? [] : [[column, toHeaderName(name)]])),
  ) as ImportMapping;
  const unknown = Object.values(chosen).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidField('columns', `This file has no column “${unknown}”`);
  const mapping = columns ? chosen : recogniseColumns(names, country);
  const repeated = Object.values(mapping).find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated) rejectFile(`The column "${repeated}" is there twice`);
  const missing = listMissing(mapping).filter((column) => column !== 'trade' || trade === '');
  if (missing.length > 0) rejectFile(`Add the columns that are missing: ${missing.join(', ')}`);
  if (records.length === 0) rejectFile('This file has a header but no rows');
  const rows: ParsedRow[] = [];
  const pause = openPauses();
  for (const { cells, line: at } of records) {
    const read = (column: ImportColumn) => {
      const name = mapping[column];
      return name === undefined ? (column === 'trade' ? trade : '') : (cells[names.indexOf(name)] ?? '');
    };
    const extra = cells.slice(names.length).find((cell) => cell.trim() !== '');
    const tooMany = extra === undefined ? [] : [{ column: '', value: shorten(extra), message: 'This row has more cells than the header' }];
    rows.push(readRow(at, read, tooMany, country));
    await pause();
  }
  const used = new Set(Object.values(mapping));
  return {
    rows,
    ignored: names.flatMap((name): IgnoredColumn[] =>
      used.has(name) || name === '' ? [] : [{ name, reason: protectedColumns.test(name.replaceAll('_', ' ')) ? 'protected' : 'unknown' }],
    ),
  };
}

/** The names of the header and the records below it. */
async function readFileRecords(bytes: Buffer): Promise<{ names: string[]; records: CsvRecord[] }> {
  const [header, ...records] = await readRecords(bytes);
  if (!header) return rejectFile('This file is empty');
  return { names: header.cells.map(toHeaderName), records };
}

async function readRecords(bytes: Buffer): Promise<CsvRecord[]> {
  try {
    return await parseCsv(bytes, { maxColumns, maxRecords: maxImportRows + 1, maxRecordLength });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const at = error.line > 1 ? `: look at line ${error.line}` : '';
    return rejectFile(
      {
        encoding: 'This file is not in UTF-8. Save it as "CSV UTF-8"',
        columns: `Use at most ${maxColumns} columns${at}`,
        records: `Use at most ${count(maxImportRows)} rows`,
        syntax: `This file could not be read as CSV${at}`,
      }[error.fault],
    );
  }
}

// Spreadsheets and mail programs put these around cells; overrides of the direction, which could deceive, are refused.
const fromSpreadsheets = /[\u00ad\u200b\u200e\u200f\u202a-\u202c\u2060\u2066-\u2069\ufeff]/g;
const cleanText = (text: string) => text.replace(fromSpreadsheets, '').replaceAll('\t', ' ');

const schemas = {
  name: requiredLine('Add the business’s name', 100),
  trade: requiredLine('Add the trade', 60),
  place: requiredLine('Add the place', 100),
  phone: businessPhone,
  email: emailAddress('Add the email address', 'This is not an email address'),
  website: webAddress,
  text: lines('Use text').max(500, 'Use at most 500 characters'),
  source: line('Use text')
    .max(200, 'Use at most 200 characters')
    .refine((text) => text === '' || /\b(19|20)\d\d\b/.test(text), 'Say also when, such as kingi.example/contact, 20 Nov 2026'),
} satisfies Partial<Record<ImportColumn, z.ZodType<string>>>;

function readRow(at: number, read: (column: ImportColumn) => string, found: RowProblem[], country: CountryCode): ParsedRow {
  const problems = [...found];
  const cell = (column: ImportColumn) =>
    (column === 'name' || column === 'text' || column === 'source' ? cleanText : cleanMachineText)(read(column));
  const report = (column: ImportColumn, message: string) => void problems.push({ column, value: shorten(cell(column)), message });
  const value = (column: keyof typeof schemas): string => {
    const { data, error } = schemas[column].safeParse(cell(column));
    if (error) report(column, error.issues[0]?.message ?? 'Check this');
    return data ?? '';
  };
  const [name, email, website, text, source] = [value('name'), value('email'), value('website'), value('text'), value('source')];
  const typedPhone = value('phone');
  const trade = resolveTrade(value('trade'));
  const place = resolvePlace(value('place'), country);
  const phone = typedPhone === '' ? { number: '' } : readPhone(typedPhone, country, place);
  const numberColumn = country === 'NZ' ? 'nzbn' : 'abn';
  const businessNumber = cell(numberColumn) === '' ? '' : parseBusinessNumber(cell(numberColumn), country);
  if (cell('trade') !== '' && 'problem' in trade) report('trade', trade.problem);
  if (cell('place') !== '' && 'problem' in place) report('place', place.problem);
  if ('problem' in phone) report('phone', phone.problem);
  if (businessNumber === undefined) {
    const { number } = businessRegisters[numberColumn];
    report(numberColumn, `This is not a valid ${number}: a digit is wrong or missing`);
  }
  const row = { line: at, name: name || shorten(cell('name')), problems };
  if (problems.length > 0 || 'problem' in trade || 'problem' in place || 'problem' in phone || businessNumber === undefined) {
    return { ...row, draft: null };
  }
  const draft = { businessName: name, email, country, ...place, ...trade, phone: phone.number, website, businessNumber, text, source };
  return { ...row, draft };
}

/** The number as typed, or in full if the place completes it. */
function readPhone(typed: string, country: CountryCode, place: DraftPlace | { problem: string }): ReadPhoneNumber {
  const read = readPhoneNumber(typed, 'problem' in place ? { country } : { country, region: place.region });
  if ('problem' in read) return read;
  const alone = readPhoneNumber(typed, { country });
  return { number: 'number' in alone ? typed : formatPhoneNumber(read.number) };
}

type DraftPlace = Pick<InvitationDraft, 'region' | 'district' | 'base'>;
const listNames = new Intl.ListFormat('en-NZ', { type: 'disjunction' });

/**
 * The district that a text names, by itself or by a town or suburb in it. A district wins over towns of its name. Towns that share a name, and
 * names with a typing error, are a problem that lists them.
 */
export function resolvePlace(text: string, country: CountryCode): DraftPlace | { problem: string } {
  const found = listPlacesByName(text, country);
  const [first] = found;
  if (!first) return { problem: `Use a town, suburb or district of ${markets[country].name}` };
  const names = listNames.format(found.map(({ label }) => `"${label}"`));
  if (first.corrected) return { problem: `We do not know this place. Do you mean ${names}?` };
  if (first.kind === 'district') return toDraftPlace(first);
  if (first.kind === 'town') {
    const exact = found.length === 1 ? first : found.find(({ label }) => fold(label) === fold(text));
    return exact ? toDraftPlace(exact) : { problem: `There are several of this name. Write ${names}` };
  }
  // A city that is a region too: Auckland is a district of its own, Wellington a town.
  const ofRegion = listRegions(country).find(({ code }) => code === first.regionCode);
  const district = ofRegion && findDistrict(first.name, [ofRegion]);
  if (district) return { region: first.name, district: district.district.name, base: '' };
  const town = found.find((one) => one.kind === 'town' && one.label === `${first.name}, ${first.name}`);
  if (town) return toDraftPlace(town);
  return { problem: `Use a town, suburb or district of ${first.name}` };
}

function toDraftPlace({ districtCode = 0, localityCode }: Place): DraftPlace {
  return {
    region: findRegionByDistrict(districtCode)?.name ?? '',
    district: findDistrictByCode(districtCode)?.name ?? '',
    base: (localityCode === undefined ? undefined : findBaseName(localityCode)) ?? '',
  };
}

type DraftTrade = Pick<InvitationDraft, 'mainCategory' | 'category' | 'subCategory'>;
const unknownTrade = 'Use the name of a category or sub-category, or of a trade such as Plumber';

/**
 * The category that a text names: a category, a sub-category, or a word for the trade that the search understands. Names that several categories
 * have, and several trades, are a problem that lists them.
 */
export function resolveTrade(text: string): DraftTrade | { problem: string } {
  const category = findCategory(text);
  if (category) return toDraftTrade(category);
  const subs = findSubCategories(text);
  const found: NamedTrade[] = subs.length > 0 ? subs.map((sub) => ({ sub })) : listNamedTrades(text);
  const drafts = distinctTrades(
    found.flatMap(({ sub, group }) => {
      const own = sub ? findCategoryByCode(getGroupCode(sub.code)) : group;
      return own ? [toDraftTrade(own, sub)] : [];
    }),
  );
  const [first] = drafts;
  if (!first) return { problem: unknownTrade };
  if (drafts.length === 1) return first;
  if (drafts.every((one) => one.category === first.category)) return { ...first, subCategory: '' };
  // Names that a cell can hold: a sub-category of two categories has none of its own.
  const isShared = (name: string) => name === '' || findSubCategories(name).length > 1;
  const names = drafts.map((one) => `"${isShared(one.subCategory) ? one.category : one.subCategory}"`);
  return { problem: `There are several of this name. Write ${listNames.format(names)}` };
}

const toDraftTrade = (category: Category, sub?: SubCategory): DraftTrade => ({
  mainCategory: category.mainCategory,
  category: category.name,
  subCategory: sub?.name ?? '',
});

const distinctTrades = (all: readonly DraftTrade[]) => [...new Map(all.map((one) => [`${one.category} ${one.subCategory}`, one])).values()];

/** Whether a listing of it could be new: nobody is invited to a trade or country that takes none. */
export function isInvitable({ category, country }: InvitationDraft): boolean {
  const known = findCategory(category);
  return known === undefined || findClosedProblem({ ...known, country }) === undefined;
}

type NamedTrade = { sub?: SubCategory; group?: Category };

/** The trades of "Plumber", "Licensed plumber", and of each part of "Plumber & drainlayer". */
function listNamedTrades(text: string): NamedTrade[] {
  const readTrade = (part: string): NamedTrade[] => {
    const words = splitWords(part);
    const named = findTrade(words) ?? findTrade(words.filter((word) => !isFillerWord(word)));
    if (!named) return [];
    const { category, subCategories } = named.trade;
    return subCategories.length > 0 ? subCategories.map((sub) => ({ sub })) : category ? [{ group: category }] : [];
  };
  const whole = readTrade(text);
  return whole.length > 0 ? whole : text.split(/[,;/&+|]|\band\b/i).flatMap(readTrade);
}
