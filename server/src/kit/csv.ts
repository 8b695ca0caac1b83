import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { openPauses } from './event-loop.ts';

/** A cell of a CSV that no spreadsheet takes for a formula. */
function formatCsvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV, with the line ends that spreadsheets expect. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(formatCsvCell).join(',')}\r\n`).join('');

export type CsvLimits = { maxColumns: number; maxRecords: number; maxRecordLength: number };
/** `line` is the last line of the record, from 1. */
export type CsvRecord = { cells: string[]; line: number };

/** Why a file cannot be read, and the line that shows it. */
export class CsvError extends Error {
  readonly fault: 'encoding' | 'syntax' | 'columns' | 'records';
  readonly line: number;

  constructor(fault: CsvError['fault'], line = 0) {
    super(`${fault} at line ${line}`);
    this.fault = fault;
    this.line = line;
  }
}

const [quote, comma, lineFeed, carriageReturn] = [...'",\n\r'].map((char) => char.charCodeAt(0));
const sliceBytes = 16 * 1024;

/**
 * Reads a CSV of hostile origin in slices, between which other requests are answered. Columns and records are counted before a cell is
 * made of them: five million commas would take a quarter of a gigabyte. Throws `CsvError`.
 */
export async function parseCsv(bytes: Buffer, limits: CsvLimits): Promise<CsvRecord[]> {
  if (!isUtf8(bytes)) throw new CsvError('encoding');
  const end = bytes.indexOf('\n');
  const firstLine = bytes.subarray(0, end === -1 ? bytes.length : end);
  // Spreadsheets write semicolons where a comma is the decimal sign.
  const delimiter = firstLine.includes(';') && !firstLine.includes(',') ? ';' : ',';
  await countCells(bytes, delimiter, limits);
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: limits.maxRecordLength,
    cast: false,
  });
  const records: CsvRecord[] = [];
  const pause = openPauses();
  try {
    const read = Readable.from(listSlices(bytes)).pipe(parser) as AsyncIterable<{ record: string[]; info: { lines: number } }>;
    for await (const { record, info } of read) {
      // A record may have several lines; it is found by its last one.
      records.push({ cells: record, line: Math.max((records.at(-1)?.line ?? 0) + 1, info.lines) });
      await pause();
    }
  } catch (error) {
    throw new CsvError('syntax', (error as { lines?: number }).lines);
  }
  return records;
}

async function* listSlices(bytes: Buffer) {
  const pause = openPauses();
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    yield bytes.subarray(at, at + sliceBytes);
    await pause();
  }
}

/** Reads quotes and line ends as csv-parse does, which takes the first line end for that of the whole file. */
async function countCells(bytes: Buffer, delimiter: string, { maxColumns, maxRecords }: CsvLimits): Promise<void> {
  const separator = delimiter === ',' ? comma : delimiter.charCodeAt(0);
  const pause = openPauses();
  let [columns, records, line, start, isQuoted] = [1, 0, 1, 0, false];
  let ending: 'lf' | 'cr' | 'crlf' | undefined;
  const endRecord = (at: number) => {
    if (at > start) records += 1;
    if (records > maxRecords) throw new CsvError('records', line);
    columns = 1;
    start = at + 1;
  };
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (at % sliceBytes === 0) await pause();
    if (byte === quote) isQuoted = !isQuoted;
    else if (byte === separator && !isQuoted) {
      columns += 1;
      if (columns > maxColumns) throw new CsvError('columns', line);
    } else if (byte === lineFeed || byte === carriageReturn) {
      if (!isQuoted) ending ??= byte === lineFeed ? 'lf' : bytes[at + 1] === lineFeed ? 'crlf' : 'cr';
      const isEnd = byte === lineFeed ? ending === 'lf' || (ending === 'crlf' && bytes[at - 1] === carriageReturn) : ending === 'cr';
      if (isEnd && !isQuoted) endRecord(ending === 'crlf' ? at - 1 : at);
      if (isEnd && ending === 'crlf') start = at + 1;
      if (byte === lineFeed || ending === 'cr') line += 1;
    }
  }
  endRecord(bytes.length);
}
