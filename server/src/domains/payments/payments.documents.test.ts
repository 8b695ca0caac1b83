import { expect, test } from 'vitest';
import type { AdjustmentNote } from '@handwise/contract/payments/refunds';
import { readPdfPages, readPdfText } from '@handwise/sandbox/testing/pdf';
import { receipt as plain } from '@handwise/sandbox/testing/receipt';
import { renderPdf } from '../../kit/pdf/pdf.ts';
import { adjustmentNotePdf, receiptPdf } from './payments.documents.ts';

const receipt = {
  ...plain,
  issuedAt: '2026-11-20T22:00:00.000Z',
  customer: { name: 'Mere Kīngi-Ōtāwhao', email: 'mere@example.org' },
  card: { brand: 'visa', last4: '4242' },
  periodStartsAt: '2026-11-20T22:00:00.000Z',
  periodEndsAt: '2026-12-20T22:00:00.000Z',
};

test('renders a New Zealand tax invoice on one page, with macrons', async () => {
  const pdf = await renderPdf(receiptPdf(receipt));
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(readPdfPages(pdf)).toBe(1);
  expect(pdf.length).toBeLessThan(40_000);
  expect(readPdfText(pdf).split('\n')).toEqual(
    expect.arrayContaining([
      'Handwise',
      'Tax invoice',
      'INV-100001',
      'Nov 21, 2026',
      'Handwise Limited',
      'GST number 123-456-789',
      'Mere Kīngi-Ōtāwhao',
      'mere@example.org',
      'New Zealand',
      'Premium plan, 30 days',
      'Nov 21, 2026 to Dec 21, 2026',
      '$21.74 NZD',
      'GST (15 %)',
      '$3.26 NZD',
      'Total, GST included',
      '$25.00 NZD',
      'Paid by Visa card ending in 4242',
    ]),
  );
  expect(readPdfText(pdf)).not.toMatch(/refunded/i);
});

test('renders an Australian tax invoice with ABN, Australian dollars and the refund’s date', async () => {
  const text = readPdfText(
    await renderPdf(
      receiptPdf({
        ...receipt,
        country: 'AU',
        timeZone: 'Australia/Perth',
        currency: 'AUD',
        gstMinor: 227,
        gstPercent: 10,
        refundedMinor: 2500,
        refundedAt: '2026-11-22T15:30:00.000Z',
        supplier: { ...receipt.supplier, taxNumber: '12 345 678 901' },
      }),
    ),
  );
  expect(text).toContain('ABN 12 345 678 901');
  expect(text).not.toContain('GST number');
  expect(text).toContain('$2.27 AUD');
  expect(text).toContain('GST (10 %)');
  expect(text).toContain('Refunded in full.');
  // By Perth's clocks; in Sydney it was the 23rd, and the invoice's own day begins at 06:00.
  expect(text).toContain('Refunded on Nov 22, 2026');
  expect(text).toContain('Nov 21, 2026 to Dec 21, 2026');
});

test('fits the longest name and address on one page', async () => {
  const customer = { name: 'W'.repeat(100), email: `${'m'.repeat(242)}@example.org` };
  const pdf = await renderPdf(receiptPdf({ ...receipt, customer, periodStartsAt: null, periodEndsAt: null, card: null }));
  expect(readPdfPages(pdf)).toBe(1);
  expect(readPdfText(pdf)).toContain('Paid by card');
});

const { description, country, timeZone, currency, gstPercent, supplier, customer } = receipt;
const note: AdjustmentNote = {
  _id: '019c0000-0000-7000-8000-000000000002',
  number: 'ADJ-7',
  // 00:30 on the 23rd in Auckland.
  issuedAt: '2026-11-22T11:30:00.000Z',
  receiptNumber: 'INV-100001',
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
  ['its own number', 'ADJ-7'],
  ['the invoice that it corrects', 'INV-100001'],
  ['when that was issued', 'Nov 21, 2026'],
  ['for what', 'Premium plan, 30 days'],
  ['why', 'You were charged too much for the second week in Taupō.'],
  ['which way it goes', 'This corrects tax invoice INV-100001: its price is reduced by'],
] as const;

test('renders New Zealand supply correction information on one page', async () => {
  const pdf = await renderPdf(adjustmentNotePdf(note));
  expect(readPdfPages(pdf)).toBe(1);
  const text = readPdfText(pdf);
  const flat = text.replaceAll(/\s+/g, ' ');
  for (const [what, words] of bothCountries) expect([what, flat]).toEqual([what, expect.stringContaining(words)]);
  expect(flat).toContain('Supply correction information (credit note)');
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      'ADJ-7',
      'INV-100001',
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

test('renders an Australian adjustment note with ABN, both prices and the GST of the difference', async () => {
  const inAustralia = { country: 'AU', currency: 'AUD', timeZone: 'Australia/Perth', gstMinor: 50, gstPercent: 10 } as const;
  const pdf = await renderPdf(adjustmentNotePdf({ ...note, ...inAustralia, supplier: { ...supplier, taxNumber: '12 345 678 901' } }));
  const flat = readPdfText(pdf).replaceAll(/\s+/g, ' ');
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

test('fits the longest reason on one page, also for early notes without the corrected price', async () => {
  const { correctedMinor: _, ...old } = note;
  const pdf = await renderPdf(adjustmentNotePdf({ ...old, reason: `${'a long reason '.repeat(35)}at last` }));
  expect(readPdfPages(pdf)).toBe(1);
  expect(readPdfText(pdf)).not.toContain('Price now');
  expect(readPdfText(pdf).replaceAll(/\s+/g, ' ')).toContain('at last');
});
