import { dateText } from '@handwise/contract/dates';
import { type AdjustmentNote, adjustmentTitles } from '@handwise/contract/payments/refunds';
import { money } from '@handwise/contract/money';
import type { Sheet } from '../receipts/sheet-pdf.ts';

/** What stands on the paper that corrects a tax invoice. */
export function adjustmentSheet(note: AdjustmentNote): Sheet {
  const day = (iso: string) => dateText(iso, note.timeZone);
  const price = (minor: number) => money(minor, note.currency);
  return {
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
  };
}
