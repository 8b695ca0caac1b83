import { pagesOf, textOf } from '@handwise/sandbox/testing/pdf';
import { receipt as plain } from '@handwise/sandbox/testing/receipt';
import { expect, test } from 'vitest';
import { sheetPdf } from './sheet-pdf.ts';
import { receiptSheet } from './receipt-sheet.ts';

const receipt = {
  ...plain,
  issuedAt: '2026-11-20T22:00:00.000Z',
  customer: { name: 'Mere Kīngi-Ōtāwhao', email: 'mere@example.org' },
  card: { brand: 'visa', last4: '4242' },
  periodStartsAt: '2026-11-20T22:00:00.000Z',
  periodEndsAt: '2026-12-20T22:00:00.000Z',
};

test('a receipt is one page of PDF with everything that a tax invoice in New Zealand must show, macrons too', async () => {
  const pdf = await sheetPdf(receiptSheet(receipt));
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pagesOf(pdf)).toBe(1);
  expect(pdf.length).toBeLessThan(40_000);
  expect(textOf(pdf).split('\n')).toEqual(
    expect.arrayContaining([
      'Handwise',
      'Tax invoice',
      'HW-100001',
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
  expect(textOf(pdf)).not.toMatch(/refunded/i);
});

test('an Australian receipt shows the ABN and Australian dollars, and a refund with its day', async () => {
  const text = textOf(
    await sheetPdf(
      receiptSheet({
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

test('the longest name and address still fit the one page', async () => {
  const customer = { name: 'W'.repeat(100), email: `${'m'.repeat(242)}@example.org` };
  const pdf = await sheetPdf(receiptSheet({ ...receipt, customer, periodStartsAt: null, periodEndsAt: null, card: null }));
  expect(pagesOf(pdf)).toBe(1);
  expect(textOf(pdf)).toContain('Paid by card');
});
