import { dateText } from '@handwise/contract/dates';
import { type AdjustmentNote, adjustmentTitles } from '@handwise/contract/refunds';
import { money } from '@handwise/contract/money';
import { sheetPdf } from '../receipts/invoice-sheet.ts';

/** What corrects a tax invoice, as a PDF file. */
export function adjustmentPdf(note: AdjustmentNote): Promise<Buffer> {
  const day = (iso: string) => dateText(iso, note.timeZone);
  const price = (minor: number) => money(minor, note.currency);
  return sheetPdf({
    ...note,
    title: adjustmentTitles[note.country],
    facts: [
      ['Number', note.number],
      ['Date of issue', day(note.issuedAt)],
      ['Tax invoice', note.receiptNumber],
      ['Invoiced on', day(note.receiptIssuedAt)],
    ],
    remark: null,
    lines: [{ text: note.description, detail: note.reason, amount: `-${price(note.totalMinor)}` }],
    sums: [
      ['Invoiced, GST included', price(note.receiptTotalMinor)],
      ...(note.correctedMinor === undefined ? [] : [['Price now, GST included', price(note.correctedMinor)] as const]),
      ['Less, without GST', price(note.totalMinor - note.gstMinor)],
      [`GST (${note.gstPercent} %)`, price(note.gstMinor)],
      ['Less, GST included', price(note.totalMinor)],
    ],
    notes: [`This corrects tax invoice ${note.receiptNumber}: its price is reduced by ${price(note.totalMinor)}.`],
  });
}
