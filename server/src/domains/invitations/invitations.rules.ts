import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import { importColumns, type ImportColumn, maxImportRows } from '@handwise/contract/invitations/words';
import { parseBusinessNumber, businessRegisters } from '@handwise/contract/evidence/business-number';
import { findCategory, findCategoryByCode, findSubCategories, getGroupCode } from '@handwise/contract/listings/categories';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { count } from '@handwise/contract/numbers';
import { findDistrict, findDistrictByCode, findRegionByDistrict, listRegions } from '@handwise/contract/places/regions';
import { businessPhone } from '@handwise/contract/selling/forms';
import { fold } from '@handwise/contract/text';
import { emailAddress, lines, requiredLine } from '@handwise/contract/text-fields';
import { webAddress } from '@handwise/contract/web-address';
import type { z } from 'zod';
import { CsvError, type CsvRecord, parseCsv } from '../../kit/csv.ts';
import { invalidField } from '../../kit/errors.ts';
import { openPauses } from '../../kit/event-loop.ts';
import { headerText } from '../../kit/mail/mail.ts';
import { findBaseName, listPlacesByName, type Place } from '../places/places.service.ts';

export type RowProblem = { column: string; message: string };
type ParsedRow = { line: number; draft: InvitationDraft | null; problems: RowProblem[] };
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

const isColumn = (name: string): name is ImportColumn => Object.hasOwn(importColumns, name);

/** Reads a CSV of businesses. Throws `invalid_input` about the file as a whole; problems of single rows are in the rows. */
export async function parseImport(bytes: Buffer, country: CountryCode): Promise<ParsedFile> {
  const [header, ...records] = await readRecords(bytes);
  if (!header) return rejectFile('This file is empty');
  const names = header.cells.map((cell) => headerText(cell, 60).toLowerCase());
  const repeated = names.find((name, index) => isColumn(name) && names.indexOf(name) !== index);
  if (repeated) rejectFile(`The column "${repeated}" is there twice`);
  const missing = Object.keys(importColumns).filter((name) => isColumn(name) && importColumns[name].isRequired && !names.includes(name));
  if (missing.length > 0) rejectFile(`Add the columns that are missing: ${missing.join(', ')}`);
  if (records.length === 0) rejectFile('This file has a header but no rows');
  const rows: ParsedRow[] = [];
  const pause = openPauses();
  for (const { cells, line: at } of records) {
    const values = new Map(names.map((name, index) => [name, cells[index] ?? ''] as const));
    const tooMany = cells.length > names.length ? [{ column: '', message: 'This row has more cells than the header' }] : [];
    rows.push(readRow(at, (column) => values.get(column) ?? '', tooMany, country));
    await pause();
  }
  return {
    rows,
    ignored: names.flatMap((name): IgnoredColumn[] =>
      isColumn(name) || name === '' ? [] : [{ name, reason: protectedColumns.test(name.replaceAll('_', ' ')) ? 'protected' : 'unknown' }],
    ),
  };
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

const schemas = {
  name: requiredLine('Add the business’s name', 100),
  trade: requiredLine('Add the trade', 60),
  place: requiredLine('Add the place', 100),
  phone: businessPhone,
  email: emailAddress('Add the email address', 'This is not an email address'),
  website: webAddress,
  text: lines('Use text').max(500, 'Use at most 500 characters'),
} satisfies Partial<Record<ImportColumn, z.ZodType<string>>>;

function readRow(at: number, cell: (column: ImportColumn) => string, found: RowProblem[], country: CountryCode): ParsedRow {
  const problems = [...found];
  const value = (column: keyof typeof schemas): string => {
    const { data, error } = schemas[column].safeParse(cell(column));
    if (error) problems.push({ column, message: error.issues[0]?.message ?? 'Check this' });
    return data ?? '';
  };
  const [name, email, website, text] = [value('name'), value('email'), value('website'), value('text')];
  const phoneNumber = value('phone');
  const trade = findTradeCategory(value('trade'));
  const place = resolvePlace(value('place'), country);
  const numberColumn = country === 'NZ' ? 'nzbn' : 'abn';
  const businessNumber = cell(numberColumn).trim() === '' ? '' : parseBusinessNumber(cell(numberColumn), country);
  if (cell('trade').trim() !== '' && !trade) problems.push({ column: 'trade', message: 'Use the name of a category or sub-category' });
  if (cell('place').trim() !== '' && 'problem' in place) problems.push({ column: 'place', message: place.problem });
  if (businessNumber === undefined) {
    const { number } = businessRegisters[numberColumn];
    problems.push({ column: numberColumn, message: `This is not a valid ${number}: a digit is wrong or missing` });
  }
  if (problems.length > 0 || !trade || 'problem' in place || businessNumber === undefined) return { line: at, draft: null, problems };
  const draft = {
    businessName: name,
    email,
    country,
    ...place,
    ...trade,
    phone: phoneNumber,
    website,
    businessNumber,
    text,
  };
  return { line: at, draft, problems };
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

/** A category, or a sub-category whose name only one category has. */
function findTradeCategory(text: string): Pick<InvitationDraft, 'mainCategory' | 'category' | 'subCategory'> | undefined {
  const category = findCategory(text);
  if (category) return { mainCategory: category.mainCategory, category: category.name, subCategory: '' };
  const [sub, another] = findSubCategories(text);
  const group = sub && !another ? findCategoryByCode(getGroupCode(sub.code)) : undefined;
  return sub && group && { mainCategory: group.mainCategory, category: group.name, subCategory: sub.name };
}
