import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { expect, test } from 'vitest';
import { listFlags, describeCode } from './money-words.ts';
import { parseCents, listConsequences, mustTransfer, takesAll } from './refund-consequences.ts';

const listing = (status: 'active' | 'hidden' | 'inactive') => ({ _id: status, listingNumber: 1, serviceTitle: 'Fencing', status });
const bought = {
  planName: 'Premium',
  startsAt: '2026-11-01T00:00:00Z',
  endsAt: '2026-12-01T00:00:00Z',
  isRunning: true,
  isReplaced: false,
  isReturned: false,
  isDisputed: false,
  listings: [listing('active'), listing('active'), listing('hidden')],
};
const paper = { issuedAt: '2026-11-01T00:00:00Z', totalMinor: 2500, gstMinor: 326 };
const paid = {
  status: 'succeeded',
  currency: 'NZD',
  planName: 'Premium',
  capturedMinor: 2500,
  boughtMinor: 2500,
  refundedMinor: 0,
  owedMinor: 0,
  payer: { _id: '1', name: 'Mere Kingi', username: 'mere' },
  bought,
  invoice: { ...paper, number: 'INV-100001' },
  notes: [],
  refunds: [],
  disputes: [],
} as unknown as PaymentLedger;
const whole = { amountMinor: 2500, keep: false, fraud: false, transferred: false };
const back = (status: 'pending' | 'succeeded' | 'failed', amountMinor: number) =>
  ({ status, amountMinor }) as PaymentLedger['refunds'][number];
const dispute = (status: 'under_review' | 'warning_under_review' | 'won') => ({ status }) as PaymentLedger['disputes'][number];

test('a full refund ends the plan and its active listings', () => {
  expect(listConsequences(paid, whole)).toEqual([
    '$25.00 NZD will be refunded to the card. Banks usually show it within 5 to 10 days.',
    'The Premium plan ends at once, and 2 active listings of it go off.',
    'Once the money has arrived, an adjustment note will correct tax invoice INV-100001.',
    'Mere Kingi gets an email with your reason, and the audit log records it with your name.',
  ]);
  const one = { ...paid, bought: { ...bought, listings: [listing('active')] } };
  expect(listConsequences(one, whole)[1]).toBe('The Premium plan ends at once, and 1 active listing of it goes off.');
  expect(listConsequences({ ...paid, bought: { ...bought, listings: [] } }, whole)[1]).toBe('The Premium plan ends at once.');
});

test.each([
  ['as a gift', { ...whole, keep: true }, {}, 'The Premium plan stays, as a gift.'],
  ['a part', { ...whole, amountMinor: 1000 }, {}, 'The Premium plan stays: $15.00 NZD of it is still paid.'],
  [
    'a part with a wish to keep',
    { ...whole, amountMinor: 1000, keep: true },
    {},
    'The Premium plan stays: $15.00 NZD of it is still paid.',
  ],
  [
    'what is owed',
    { ...whole, amountMinor: 400 },
    { boughtMinor: 2100, owedMinor: 400 },
    'The Premium plan stays: $21.00 NZD of it is still paid.',
  ],
  [
    'more than what is owed',
    { ...whole, amountMinor: 500 },
    { boughtMinor: 2100, owedMinor: 400 },
    'The Premium plan stays: $20.00 NZD of it is still paid.',
  ],
  [
    'of a plan that was replaced',
    whole,
    { bought: { ...bought, isReplaced: true, isRunning: false } },
    'Another plan has replaced this one, so nothing ends.',
  ],
  [
    'of a plan that is over',
    whole,
    { bought: { ...bought, isRunning: false } },
    'The Premium plan has already ended, so nothing else ends.',
  ],
])('what becomes of the plan: %s', (_, choice, more, text) => {
  expect(listConsequences({ ...paid, ...more }, choice)[1]).toBe(text);
});

test('a refund of money owed mentions no plan, and a repeat issues no second credit note', () => {
  const owed = {
    ...paid,
    boughtMinor: 0,
    owedMinor: 2500,
    bought: { ...bought, isReturned: true },
    notes: [{ ...paper, number: 'ADJ-1', refundId: '1' }],
    refunds: [back('failed', 2500)],
  };
  expect(listConsequences(owed, { ...whole, transferred: true })).toEqual([
    '$25.00 NZD will be booked as paid to a bank account. Nothing is sent from here: make the transfer first.',
    'Mere Kingi gets an email with your reason, and the audit log records it with your name.',
  ]);
  const again = { ...paid, notes: [{ ...paper, totalMinor: 500, number: 'ADJ-1', refundId: '1' }], refunds: [back('succeeded', 500)] };
  expect(listConsequences(again, { ...whole, amountMinor: 1 }).join()).toContain('INV-100001');
});

test("writes the provider's identifiers as words", () => {
  expect([describeCode('product_not_received'), describeCode('fraudulent')]).toEqual(['Product not received', 'Fraudulent']);
});

test('says that fraud voids the tickets of others', () => {
  expect(listConsequences(paid, { ...whole, fraud: true }).join()).toContain('Tickets that others got');
  expect(listConsequences(paid, whole).join()).not.toContain('Tickets');
});

test('requires a bank transfer during a dispute, but not for inquiries or won disputes', () => {
  expect(
    [dispute('under_review'), dispute('warning_under_review'), dispute('won')].map((one) => mustTransfer({ disputes: [one] })),
  ).toEqual([true, false, false]);
});

test('only the refund of the last money paid ends the plan', () => {
  expect([takesAll(paid, 2500), takesAll(paid, 2499)]).toEqual([true, false]);
  expect([takesAll({ boughtMinor: 2100, owedMinor: 400 }, 2100), takesAll({ boughtMinor: 0, owedMinor: 400 }, 400)]).toEqual([
    false,
    false,
  ]);
});

test.each([
  ['12', 1200],
  ['12.5', 1250],
  [' $1,234.56 ', 123_456],
  ['0.29', 29],
  ['12.345', undefined],
  ['12,5O', undefined],
  ['-1', undefined],
  ['', undefined],
  ['1e3', undefined],
])('%j is so many cents: %s', (text, cents) => {
  expect(parseCents(text)).toBe(cents);
});

test('labels payments with disputes, money owed, an ended plan, or one left as a gift', () => {
  const names = (more: Partial<PaymentLedger>) => listFlags({ ...paid, ...more }).map(({ name }) => name);
  expect(names({})).toEqual(['Paid']);
  expect(names({ disputes: [dispute('under_review')], bought: { ...bought, isDisputed: true } })).toEqual([
    'Paid',
    'Disputed',
    'Plan paused',
  ]);
  const over = { ...bought, isDisputed: true, isRunning: false };
  expect(names({ disputes: [dispute('under_review')], bought: over })).toEqual(['Paid', 'Disputed']);
  expect(names({ disputes: [dispute('won')] })).toEqual(['Paid']);
  expect(names({ owedMinor: 400, refunds: [back('failed', 400)] })).toEqual(['Paid', '$4.00 NZD owed']);
  expect(names({ boughtMinor: 0, bought: { ...bought, isReturned: true }, refunds: [back('pending', 2500)] })).toEqual([
    'Paid',
    'Refund in progress',
    'Plan ended',
  ]);
  expect(names({ boughtMinor: 0, bought: null })).toEqual(['Paid', 'Plan kept as a gift']);
  expect(names({ boughtMinor: 0, bought: null, invoice: null })).toEqual(['Paid']);
});
