import { expect, test } from 'vitest';
import { receipt } from '@handwise/sandbox/testing/receipt';
import { receiptEmail } from './payments.emails.ts';

const rowsOf = (mail: ReturnType<typeof receiptEmail>) =>
  mail.blocks.flatMap((block) => (block.kind === 'facts' ? block.rows.map(({ label, value }) => `${label}: ${value}`) : []));

test('contains everything that a tax invoice must say, and links to its page', () => {
  const mail = receiptEmail(receipt, 'https://handwise.example');
  expect(mail).toMatchObject({
    to: 'mere@example.org',
    subject: 'Your Handwise receipt INV-100001',
    preview: '$25.00 NZD for Premium plan, 30 days',
    greeting: 'Kia ora Mere',
  });
  expect(mail.blocks).toContainEqual({ kind: 'heading', text: 'Tax invoice INV-100001' });
  expect(rowsOf(mail)).toEqual([
    'Date: Apr 1, 2027',
    'For: Premium plan, 30 days',
    'Period: Apr 1, 2027 to May 1, 2027',
    'Card: American Express ending in 0005',
    'GST included (15 %): $3.26 NZD',
    'Total: $25.00 NZD',
    'From: Handwise Limited, 1 Example Street, Wellington 6011',
    'GST number: 123-456-789',
    'To: Mere Kīngi, mere@example.org',
  ]);
  expect(mail.blocks.at(-1)).toEqual({
    kind: 'button',
    label: 'See and download the receipt',
    url: 'https://handwise.example/account/receipts/019c0000-0000-7000-8000-000000000001',
  });
});

test('uses the ABN and the region’s date in Australia, and omits missing details', () => {
  const rows = rowsOf(
    receiptEmail(
      { ...receipt, country: 'AU', currency: 'AUD', timeZone: 'Australia/Perth', gstPercent: 10, card: null, periodEndsAt: null },
      'https://handwise.example',
    ),
  );
  expect(rows).toContain('Date: Mar 31, 2027');
  expect(rows).toContain('ABN: 123-456-789');
  expect(rows).toContain('Total: $25.00 AUD');
  expect(rows.filter((row) => /^(Card|Period|GST number):/.test(row))).toEqual([]);
});
