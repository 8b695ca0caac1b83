import { addDays, getDay } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { addUpQuote, formatQuantity, parsePrice, parseQuantity } from '@handwise/contract/quotes/amounts';
import type { Quote } from '@handwise/contract/quotes/calls';
import {
  maxLineLength,
  maxNotesLength,
  maxQuantityMilli,
  maxStartDays,
  maxTotalMinor,
  maxUnitMinor,
  maxValidDays,
  type QuoteKind,
} from '@handwise/contract/quotes/words';
import { quoteDraftsKey, readStored, writeStored } from '../../lib/browser-storage.ts';

/** A line as it is typed. */
export type DraftLine = { description: string; quantity: string; price: string };
export type WrittenQuote = {
  kind: QuoteKind;
  gstIncluded: boolean;
  validUntil: string;
  /** Empty without a day, and in drafts from before. */
  startsOn?: string;
  lines: readonly DraftLine[];
  notes: string;
  /** Under which it is sent once, however often it is tried. */
  clientId: string;
};

export const emptyLine: DraftLine = { description: '', quantity: '1', price: '' };
/** How long a quote is valid unless the business chooses another day. */
const usualDays = 14;
const maxDrafts = 20;

/** What the form starts with: the open quote, to be changed, or an empty one on the terms of the last quote. */
export function createWrittenQuote(quotes: readonly Quote[], now: Date, timeZone: string): WrittenQuote {
  const [last] = quotes;
  const open = last && (last.state === 'sent' || last.state === 'seen') ? last : undefined;
  return {
    kind: open?.kind ?? 'quote',
    gstIncluded: last?.gstIncluded ?? true,
    validUntil: open?.validUntil ?? addDays(getDay(now, timeZone), usualDays),
    startsOn: open?.startsOn ?? '',
    lines: open?.lines.map(toDraftLine) ?? [emptyLine],
    notes: open?.notes ?? '',
    clientId: crypto.randomUUID(),
  };
}

const toDraftLine = ({ description, quantityMilli, unitMinor }: Quote['lines'][number]): DraftLine => ({
  description,
  quantity: formatQuantity(quantityMilli),
  price: `${Math.floor(unitMinor / 100)}.${String(unitMinor % 100).padStart(2, '0')}`,
});

/** What was changed is another quote to the server, should the last attempt have reached it. */
export const changeQuote = (draft: WrittenQuote, changed: Partial<WrittenQuote>): WrittenQuote => ({
  ...draft,
  ...changed,
  clientId: crypto.randomUUID(),
});

type Drafts = Record<string, WrittenQuote>;

function readDrafts(): Drafts {
  try {
    const read: unknown = JSON.parse(readStored(quoteDraftsKey) ?? '{}');
    return typeof read === 'object' && read !== null ? (read as Drafts) : {};
  } catch {
    return {};
  }
}

const isText = (value: unknown) => typeof value === 'string';
const isLine = (line: Partial<DraftLine> | null) => [line?.description, line?.quantity, line?.price].every(isText);

const isReadable: Record<keyof WrittenQuote, (value: unknown) => boolean> = {
  kind: (value) => value === 'quote' || value === 'estimate',
  gstIncluded: (value) => typeof value === 'boolean',
  validUntil: isText,
  startsOn: isText,
  lines: (value) => Array.isArray(value) && value.some(isLine),
  notes: isText,
  clientId: (value) => isText(value) && value !== '',
};

/**
 * The stored draft of a conversation, or `empty`; parts that another version left out or that cannot be read are those of `empty`. `isDamaged`:
 * something was stored that cannot be read.
 */
export function readWrittenQuote(conversationId: string, empty: WrittenQuote): { draft: WrittenQuote; isDamaged: boolean } {
  const found: unknown = readDrafts()[conversationId];
  const stored = new Map(Object.entries(typeof found === 'object' && found !== null ? found : {}));
  const names = Object.keys(isReadable) as (keyof WrittenQuote)[];
  const parts = names.filter((name) => isReadable[name](stored.get(name))).map((name) => [name, stored.get(name)] as const);
  const draft: WrittenQuote = { ...empty, ...(Object.fromEntries(parts) as Partial<WrittenQuote>) };
  const lines = draft.lines.filter(isLine);
  const isLost = names.filter((name) => stored.has(name)).length > parts.length || lines.length < draft.lines.length;
  return { draft: { ...draft, lines }, isDamaged: isLost || (found !== undefined && stored.size === 0) };
}

/** Stores a draft, or deletes it; the oldest beyond the limit are deleted too. */
export function saveWrittenQuote(conversationId: string, draft: WrittenQuote | undefined) {
  const { [conversationId]: _, ...others } = readDrafts();
  const stored = Object.entries(draft ? { ...others, [conversationId]: draft } : others).slice(-maxDrafts);
  writeStored(quoteDraftsKey, JSON.stringify(Object.fromEntries(stored)));
}

/** The running total: lines that are not complete yet count nothing. */
export const addUpDraft = ({ lines, gstIncluded }: WrittenQuote, country: CountryCode) =>
  addUpQuote(
    lines.map(({ quantity, price }) => ({ quantityMilli: parseQuantity(quantity) ?? 0, unitMinor: parsePrice(price) ?? 0 })),
    { country, gstIncluded },
  );

type FieldProblem = { field: string; message: string };

function* listLineProblems({ description, quantity, price }: DraftLine, index: number): Generator<FieldProblem> {
  const at = (field: keyof DraftLine) => `lines-${index}-${field}`;
  const [quantityMilli, unitMinor] = [parseQuantity(quantity), parsePrice(price)];
  if (description.trim() === '') yield { field: at('description'), message: 'Describe what this line is for' };
  if (description.trim().length > maxLineLength) yield { field: at('description'), message: `Use at most ${maxLineLength} characters` };
  if (quantityMilli === null || quantityMilli < 1 || quantityMilli > maxQuantityMilli)
    yield { field: at('quantity'), message: 'Use a quantity such as 1 or 2.5' };
  if (unitMinor === null || unitMinor > maxUnitMinor) yield { field: at('price'), message: 'Use a price such as 80 or 79.50' };
}

/** What is wrong with a draft, by field, in the order of the form. */
export function listProblems(draft: WrittenQuote, country: CountryCode, today: string): FieldProblem[] {
  const problems = draft.lines.flatMap((line, index) => [...listLineProblems(line, index)]);
  const { totalMinor } = addUpDraft(draft, country);
  if (problems.length === 0 && (totalMinor < 1 || totalMinor > maxTotalMinor))
    problems.push({
      field: 'lines-0-price',
      message: totalMinor < 1 ? 'The total must be above $0' : 'The total must be at most $10,000,000',
    });
  if (draft.validUntil === '' || draft.validUntil < today || draft.validUntil > addDays(today, maxValidDays))
    problems.push({ field: 'validUntil', message: 'Choose a day from today to a year ahead' });
  if (draft.startsOn && (draft.startsOn < today || draft.startsOn > addDays(today, maxStartDays)))
    problems.push({ field: 'startsOn', message: 'Choose a day from today to two years ahead' });
  if (draft.notes.trim().length > maxNotesLength) problems.push({ field: 'notes', message: `Use at most ${maxNotesLength} characters` });
  return problems;
}

/** A draft without problems, as the call takes it. */
export const toQuoteBody = ({ lines, ...draft }: WrittenQuote, conversationId: string) => ({
  ...draft,
  conversationId,
  lines: lines.map(({ description, quantity, price }) => ({
    description,
    quantityMilli: parseQuantity(quantity) ?? 0,
    unitMinor: parsePrice(price) ?? 0,
  })),
});
