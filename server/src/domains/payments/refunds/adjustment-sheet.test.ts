import type { AdjustmentNote } from '@handwise/contract/payments/refunds';
import { pagesOf, textOf } from '@handwise/sandbox/testing/pdf';
import { receipt } from '@handwise/sandbox/testing/receipt';
import { expect, test } from 'vitest';
import { sheetPdf } from '../receipts/sheet-pdf.ts';
import { adjustmentSheet } from './adjustment-sheet.ts';

const { description, country, timeZone, currency, gstPercent, supplier, customer } = receipt;
const note: AdjustmentNote = {
  _id: '019c0000-0000-7000-8000-000000000002',
  number: 'HW-A-7',
  // 00:30 on the 23rd in Auckland.
  issuedAt: '2026-11-22T11:30:00.000Z',
  receiptNumber: 'HW-100001',
  receiptIssuedAt: '2026-11-20T22:00:00.000Z',
  receiptTotalMinor: 2500,
  description,
  reason: 'You were charged too much for the second week in Taupō.',
  country,
  timeZone,
  currency,
  totalMinor: 550,
  correctedMinor: 1950,
  gstMinor: 72,
  gstPercent,
  supplier,
  customer,
};

// Goods and Services Tax Act 1985 (NZ), section 19N; Adjustment Note Information Requirements Determination 2022 (AU), section 5.
const bothCountries = [
  ['who corrects it, by name', 'Handwise Limited'],
  ['whom it is for', 'Mere Kīngi'],
  ['its own number', 'HW-A-7'],
  ['the invoice that it corrects', 'HW-100001'],
  ['when that was issued', 'Nov 21, 2026'],
  ['for what', 'Premium plan, 30 days'],
  ['why', 'You were charged too much for the second week in Taupō.'],
  ['which way it goes', 'This corrects tax invoice HW-100001: its price is reduced by'],
] as const;

test('a note in New Zealand is one page with all that corrects the information of a taxable supply', async () => {
  const pdf = await sheetPdf(adjustmentSheet(note));
  expect(pagesOf(pdf)).toBe(1);
  const text = textOf(pdf);
  const flat = text.replaceAll(/\s+/g, ' ');
  for (const [what, words] of bothCountries) expect([what, flat]).toEqual([what, expect.stringContaining(words)]);
  expect(flat).toContain('Supply correction information (credit note)');
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'GST number 123-456-789',
      'Nov 23, 2026',
      'Invoiced, GST included',
      '$25.00 NZD',
      'Price now, GST included',
      '$19.50 NZD',
      'Less, without GST',
      '$4.78 NZD',
      'GST (15 %)',
      '$0.72 NZD',
      'Less, GST included',
      '$5.50 NZD',
    ]),
  );
});

test('a note in Australia is an adjustment note with the ABN, both prices and the GST of the difference', async () => {
  const inAustralia = { country: 'AU', currency: 'AUD', timeZone: 'Australia/Perth', gstMinor: 50, gstPercent: 10 } as const;
  const pdf = await sheetPdf(adjustmentSheet({ ...note, ...inAustralia, supplier: { ...supplier, taxNumber: '12 345 678 901' } }));
  const flat = textOf(pdf).replaceAll(/\s+/g, ' ');
  for (const [what, words] of bothCountries) expect([what, flat]).toEqual([what, expect.stringContaining(words)]);
  for (const words of [
    'Adjustment note',
    'ABN 12 345 678 901',
    'Nov 22, 2026',
    '$25.00 AUD',
    '$19.50 AUD',
    '$5.00 AUD',
    'GST (10 %)',
    '$0.50 AUD',
  ])
    expect(flat).toContain(words);
  expect(flat).not.toContain('GST number');
  expect(flat).not.toContain('credit note');
});

test('the first notes, which did not say the price now, and the longest reason still fit the one page', async () => {
  const { correctedMinor: _, ...old } = note;
  const pdf = await sheetPdf(adjustmentSheet({ ...old, reason: `${'a long reason '.repeat(35)}at last` }));
  expect(pagesOf(pdf)).toBe(1);
  expect(textOf(pdf)).not.toContain('Price now');
  expect(textOf(pdf).replaceAll(/\s+/g, ' ')).toContain('at last');
});
