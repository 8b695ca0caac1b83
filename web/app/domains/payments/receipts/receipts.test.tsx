import type { Receipt } from '@handwise/contract/payments/calls';
import type { OwnRefund } from '@handwise/contract/payments/refunds';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { ownReceipt, ownReceipts, ownRefunds } from '../payment-queries.ts';
import { ReceiptList, RefundList } from './receipt-list.tsx';
import { ReceiptView } from './receipt-view.tsx';

const receipt = {
  _id: '1',
  number: 'INV-100001',
  issuedAt: '2026-11-21T00:00:00.000Z',
  description: 'Basic plan, 30 days',
  country: 'NZ',
  timeZone: 'Pacific/Auckland',
  currency: 'NZD',
  totalMinor: 1500,
  gstMinor: 196,
  gstPercent: 15,
  supplier: { name: 'Handwise', address: 'Auckland', taxNumber: '123' },
  customer: { name: 'Mere Kingi', email: 'mere@example.org' },
  card: { brand: 'visa', last4: '4242' },
  periodStartsAt: null,
  periodEndsAt: null,
  refundedMinor: 0,
  refundedAt: null,
} as Receipt;
const refund = {
  _id: '1',
  amountMinor: 1500,
  currency: 'NZD',
  timeZone: 'Pacific/Auckland',
  status: 'pending',
  isOwed: false,
  by: 'card',
  reason: 'You asked us to.',
  createdAt: '2026-11-21T00:00:00.000Z',
  refundedAt: null,
  endedPlan: true,
  payment: { amountMinor: 1500, paidAt: '2026-11-20T00:00:00.000Z', receipt: null },
  adjustment: null,
} as OwnRefund;

/** The text of a component whose queries have loaded. */
function shown(part: ReactNode, { receipts = [], refunds = [] }: { receipts?: Receipt[]; refunds?: OwnRefund[] }): string {
  const client = new QueryClient();
  client.setQueryData(ownReceipts.queryKey, receipts);
  for (const one of receipts) client.setQueryData(ownReceipt(one._id).queryKey, one);
  client.setQueryData(ownRefunds.queryKey, refunds);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MemoryRouter>{part}</MemoryRouter>
    </QueryClientProvider>,
  );
  return html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

test.each([
  ['nothing', {}, /^(?!.*refunded)/i, /^(?!.*refunded)/i],
  ['a part', { refundedMinor: 700 }, /\$7\.00 NZD refunded/, /\$7\.00 NZD of it refunded/],
  ['all of it', { refundedMinor: 1500, refundedAt: '2026-11-22T00:00:00.000Z' }, / Refunded /, /Refunded in full on Nov 22, 2026/],
])('shows in the list and on its page that %s of a receipt was refunded', (_, change, inList, onPage) => {
  const receipts = [{ ...receipt, ...change }];
  expect(shown(<ReceiptList />, { receipts })).toMatch(inList);
  expect(shown(<ReceiptView id="1" />, { receipts })).toMatch(onPage);
});

test.each(['pending', 'failed'] as const)('a %s refund that ended a plan is not called refunded', (status) => {
  const text = shown(<RefundList />, { refunds: [{ ...refund, status, isOwed: status === 'failed' }] });
  expect(text).toContain('so the plan has ended');
  expect(text.replace('Refunds', '')).not.toMatch(/refunded/i);
});
