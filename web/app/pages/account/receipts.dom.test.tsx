import type { Receipt } from '@handwise/contract/payments/calls';
import type { OwnRefund } from '@handwise/contract/payments/refunds';
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ReceiptView } from '../../domains/payments/receipts/receipt-view.tsx';
import { ownReceipt, ownReceipts, ownRefunds } from '../../domains/payments/payment-queries.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import AccountReceiptsPage from './account-receipts.tsx';

const receipt: Receipt = {
  _id: 'r1',
  number: 'INV-100001',
  issuedAt: '2026-11-20T11:30:00.000Z',
  description: 'Premium plan, 30 days',
  country: 'NZ',
  timeZone: 'Pacific/Auckland',
  currency: 'NZD',
  totalMinor: 11_500,
  gstMinor: 1_500,
  gstPercent: 15,
  supplier: { name: 'Handwise Limited', address: '1 Queen Street', taxNumber: '123-456-789' },
  customer: { name: 'Mere Kingi', email: 'mere@example.org' },
  card: { brand: 'visa', last4: '4242' },
  periodStartsAt: null,
  periodEndsAt: null,
  refundedMinor: 0,
  refundedAt: null,
};
const refund: OwnRefund = {
  _id: 'f1',
  amountMinor: 11_500,
  currency: 'NZD',
  timeZone: 'Pacific/Auckland',
  status: 'pending',
  isOwed: false,
  by: 'card',
  reason: 'You asked for it.',
  createdAt: '2026-11-21T11:30:00.000Z',
  refundedAt: null,
  endedPlan: true,
  payment: { amountMinor: 11_500, paidAt: '2026-11-20T11:30:00.000Z', receipt: { _id: 'r1', number: 'INV-100001' } },
  adjustment: { _id: 'n1', number: 'ADJ-100001' },
};
const list = (...data: object[]) => ({ body: { data } });
const missing = { status: 404, body: { code: 'receipt_not_found', message: 'No such receipt' } };
const problem = /could not be loaded again/;

afterEach(() => {
  vi.restoreAllMocks();
});

test('tax invoices and refunds that could not be loaded are not none, and can be loaded again', async () => {
  answerCalls({ 'GET /receipt/all': [null, list(receipt)], 'GET /refund/all': [list()] });
  const { user } = renderPart(<AccountReceiptsPage />);
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('No tax invoices yet')).toBeNull();
  await user.click(screen.getByText('Try Again'));
  expect((await screen.findByText('INV-100001')).getAttribute('href')).toBe('/account/receipts/r1');
  // The day in New Zealand, where the listing is.
  screen.getByText('Nov 21, 2026');
  screen.getByText('$115.00 NZD');
  expect(screen.queryByText('Refunds')).toBeNull();
});

test('tax invoices and refunds that could not be loaded again stay and say so', async () => {
  answerCalls({ 'GET /receipt/all': [list(receipt), null], 'GET /refund/all': [list(refund), null, list(refund)] });
  const { user, client } = renderPart(<AccountReceiptsPage />);
  await screen.findByText('Refunds');
  await client.refetchQueries(ownReceipts);
  await screen.findByText(problem);
  expect(screen.getAllByText('INV-100001')).toHaveLength(2);
  await client.refetchQueries(ownRefunds);
  await expect.poll(() => screen.queryAllByText(problem).length).toBe(2);
  screen.getByText('On its way');
  await user.click(screen.getAllByText('Try Again')[1] as HTMLElement);
  await expect.poll(() => screen.queryAllByText(problem).length).toBe(1);
});

test('who has paid nothing yet reads so, and is told if that may have changed', async () => {
  answerCalls({ 'GET /receipt/all': [list(), null], 'GET /refund/all': [list()] });
  const { client } = renderPart(<AccountReceiptsPage />);
  await screen.findByText('No tax invoices yet');
  expect(screen.queryByText(problem)).toBeNull();
  await client.refetchQueries(ownReceipts);
  await screen.findByText(problem);
});

test('an adjustment note that could not be downloaded says so, and the next press downloads it', async () => {
  const links: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    links.push(this.download);
  });
  const calls = answerCalls({
    'GET /receipt/all': [list(receipt)],
    'GET /refund/all': [list(refund)],
    'GET /adjustment-note/n1/pdf': [missing, { body: {} }],
  });
  const { user } = renderPart(
    <>
      <AccountReceiptsPage />
      <Toaster />
    </>,
  );
  await user.click(await screen.findByText(/Adjustment note/));
  await screen.findByText('No such receipt');
  expect(links).toEqual([]);
  await user.click(screen.getByText(/Adjustment note/));
  await expect.poll(() => links).toEqual(['ADJ-100001.pdf']);
  expect(calls.filter(({ path }) => path.endsWith('/pdf'))).toHaveLength(2);
});

test('a tax invoice stays when it could not be loaded again, and one that is not theirs says so', async () => {
  answerCalls({
    'GET /receipt/r1': [{ body: receipt }, null, { body: { ...receipt, refundedMinor: 2_000 } }],
    'GET /receipt/r2': [missing],
  });
  const { user, client, unmount } = renderPart(<ReceiptView id="r1" />);
  await screen.findByText('INV-100001');
  screen.getByText('$100.00 NZD');
  screen.getByText('$15.00 NZD');
  expect(screen.queryByText(problem)).toBeNull();
  await client.refetchQueries(ownReceipt('r1'));
  await screen.findByText(problem);
  screen.getByText('INV-100001');
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('$20.00 NZD of it refunded');
  unmount();
  renderPart(<ReceiptView id="r2" />);
  await screen.findByText("This receipt isn't here");
});

test('a tax invoice that could not be loaded is not missing, and can be loaded again', async () => {
  answerCalls({ 'GET /receipt/r1': [null, { body: receipt }] });
  const { user } = renderPart(<ReceiptView id="r1" />);
  await screen.findByText('Connection Problem');
  expect(screen.queryByText("This receipt isn't here")).toBeNull();
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('INV-100001');
});
