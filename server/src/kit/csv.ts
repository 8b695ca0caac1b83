import { isUtf8 } from 'node:buffer';
import { openPauses } from './event-loop.ts';

/** A cell of a CSV that no spreadsheet takes for a formula. */
function formatCsvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const byteOrderMark = '\ufeff';

/** Rows as CSV, with the line ends that spreadsheets expect and the mark without which Excel misreads every macron. */
export const formatCsv = (rows: readonly (readonly string[])[]): string =>
  byteOrderMark + rows.map((cells) => `${cells.map(formatCsvCell).join(',')}\r\n`).join('');

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

const charsBetweenPauses = 16 * 1024;
const delimiters = [',', ';', '\t'] as const;

/**
 * Reads a CSV of hostile origin, in pieces between which other requests are answered. The delimiter is the one of its `sep=` line or of its first
 * record; line ends may be mixed, a quote within a cell is an ordinary character, and records without content are skipped. Written by hand
 * because libraries make a cell of each of five million commas before anything can count them. Throws `CsvError`.
 */
export async function parseCsv(file: Buffer, limits: CsvLimits): Promise<CsvRecord[]> {
  const text = decode(file);
  const [declaration = '', declared] = /^"?sep=([^"\n]?)"?(?:\n|$)/i.exec(text) ?? [];
  const delimiter = declared || findDelimiter(text.slice(declaration.length, declaration.length + limits.maxRecordLength));
  const cells = listCells(text, delimiter, declaration.length, declaration === '' ? 1 : 2);
  const records: CsvRecord[] = [];
  const pause = openPauses();
  let pausedAt = 0;
  let record: string[] = [];
  let length = 0;
  // The content of a record without any is not kept, however long it is.
  let hasContent = false;
  for (const { cell, isLast, line, at } of cells) {
    if (at - pausedAt > charsBetweenPauses) {
      pausedAt = at;
      await pause();
    }
    if (cell === null) throw new CsvError('syntax', line);
    length += cell.length;
    hasContent ||= cell.trim() !== '';
    record.push(cell);
    if (length > limits.maxRecordLength) throw new CsvError('syntax', line);
    if (record.length > limits.maxColumns) throw new CsvError('columns', line);
    if (!isLast) continue;
    if (hasContent) records.push({ cells: record, line });
    if (records.length > limits.maxRecords) throw new CsvError('records', line);
    [record, length, hasContent] = [[], 0, false];
  }
  return records;
}

/** UTF-8, or the UTF-16 of "Unicode Text" in spreadsheets, with every line end as a line feed. */
function decode(file: Buffer): string {
  const isUtf16 = file[0] === 0xff && file[1] === 0xfe;
  if (!isUtf16 && !isUtf8(file)) throw new CsvError('encoding');
  return file
    .toString(isUtf16 ? 'utf16le' : 'utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n');
}

/** The one that the first record with content has most of. */
function findDelimiter(beginning: string): string {
  const counts = delimiters.map((delimiter) => {
    let [count, hasContent] = [0, false];
    for (const { cell, isLast } of listCells(beginning, delimiter, 0, 1)) {
      hasContent ||= /[^\s,;]/.test(cell ?? '');
      if (isLast && hasContent) return count;
      count = isLast ? 0 : count + 1;
    }
    return count;
  });
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** `cell` is null for a quote that is never closed. */
type Cell = { cell: string | null; isLast: boolean; line: number; at: number };

function* listCells(text: string, delimiter: string, from: number, firstLine: number): Generator<Cell> {
  let line = firstLine;
  let at = from;
  const findEnd = (start: number) => {
    let end = start;
    while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
    return end;
  };
  while (at < text.length) {
    const start = at;
    let cell: string;
    if (text[start] === '"') {
      const quote = findClosingQuote(text, start);
      if (quote === -1) return yield { cell: null, isLast: true, line, at };
      at = findEnd(quote + 1);
      const inside = text.slice(start + 1, quote).replaceAll('""', '"');
      // `"Bob" Smith`: quotes that do not enclose the whole cell belong to it.
      cell = at === quote + 1 ? inside : `"${inside}${text.slice(quote, at)}`;
      for (let next = text.indexOf('\n', start); next !== -1 && next < quote; next = text.indexOf('\n', next + 1)) line += 1;
    } else {
      at = findEnd(start);
      cell = text.slice(start, at);
    }
    const isLast = text[at] !== delimiter;
    yield { cell, isLast, line, at };
    if (isLast) line += 1;
    // A delimiter at the very end begins an empty cell.
    else if (at + 1 === text.length) yield { cell: '', isLast: true, line, at };
    at += 1;
  }
}

function findClosingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
