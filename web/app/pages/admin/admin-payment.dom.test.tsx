import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import AdminPaymentPage from './admin-payment.tsx';

const ledger = {
  _id: 'pay1',
  status: 'succeeded',
  purpose: 'listing',
  planName: 'Premium',
  country: 'NZ',
  currency: 'NZD',
  amountMinor: 2900,
  capturedMinor: 2900,
  boughtMinor: 2900,
  refundedMinor: 0,
  owedMinor: 0,
  payer: { _id: 'mere', name: 'Mere Kingi', username: 'mere' },
  createdAt: '2026-11-20T00:00:00Z',
  succeededAt: '2026-11-20T00:00:00Z',
  bought: { planName: 'Premium', startsAt: '2026-11-20T00:00:00Z', endsAt: '2026-12-20T00:00:00Z', isRunning: true, listings: [] },
  refunds: [],
  disputes: [],
  warnings: [],
  events: [],
  notes: [],
  invoice: null,
  intentId: 'pi_1',
} as unknown as PaymentLedger;

const show = () => renderPart(<AdminPaymentPage {...({ params: { id: 'pay1' } } as Parameters<typeof AdminPaymentPage>[0])} />);

test('a refund that failed is sent again as the same one: this payment, amount, reason and way', async () => {
  const calls = answerCalls({
    'GET /admin/payment/pay1': [{ body: ledger }],
    'POST /admin/payment/pay1/refund': [null, { body: { message: 'Done' } }],
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Refund' }));
  screen.getByRole('dialog', { name: 'Refund Mere Kingi' });
  await user.click(screen.getByRole('radio', { name: 'A part' }));
  await user.type(screen.getByLabelText('Amount in NZD'), '12.50');
  await user.type(screen.getByLabelText('Reason'), 'One month less.');
  await user.click(screen.getByRole('button', { name: 'See what this will do' }));
  await user.click(await screen.findByRole('button', { name: 'Send $12.50 NZD back' }));
  await screen.findByText(/trouble connecting to the server/);
  screen.getByText('$12.50 NZD of your payment is going back');
  await user.click(screen.getByRole('button', { name: 'Change it' }));
  await user.click(screen.getByRole('button', { name: 'See what this will do' }));
  await user.click(await screen.findByRole('button', { name: 'Send $12.50 NZD back' }));
  await expect.poll(() => screen.queryByRole('dialog', { name: 'Refund Mere Kingi' })).toBeNull();
  const [first, again, ...more] = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
  expect(first).toMatchObject({ amountMinor: 1250, reason: 'One month less.', keep: false, fraud: false, transferred: false });
  expect([again, more]).toEqual([first, []]);
});

test('another refund of a payment is not taken for the one before', async () => {
  const calls = answerCalls({
    'GET /admin/payment/pay1': [{ body: ledger }],
    'POST /admin/payment/pay1/refund': [{ body: { message: 'Done' } }],
  });
  const { user } = show();
  for (const amount of ['5', '5']) {
    await user.click(await screen.findByRole('button', { name: 'Refund' }));
    await user.click(screen.getByRole('radio', { name: 'A part' }));
    await user.type(screen.getByLabelText('Amount in NZD'), amount);
    await user.type(screen.getByLabelText('Reason'), 'Less.');
    await user.click(screen.getByRole('button', { name: 'See what this will do' }));
    await user.click(await screen.findByRole('button', { name: 'Send $5.00 NZD back' }));
    await expect.poll(() => screen.queryByRole('dialog', { name: 'Refund Mere Kingi' })).toBeNull();
  }
  const [first, second] = calls.filter(({ method }) => method === 'POST').map(({ body }) => (body as { requestId: string }).requestId);
  expect(first).toBeTruthy();
  expect(second).not.toBe(first);
});

test('more than is left is not sent, and says how much is left', async () => {
  const calls = answerCalls({ 'GET /admin/payment/pay1': [{ body: ledger }] });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Refund' }));
  await user.click(screen.getByRole('radio', { name: 'A part' }));
  await user.type(screen.getByLabelText('Amount in NZD'), '29.01');
  await user.type(screen.getByLabelText('Reason'), 'More.');
  await user.click(screen.getByRole('button', { name: 'See what this will do' }));
  await screen.findAllByText('At most $29.00 NZD is left');
  expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});

test('a refund to the card is given back whole, the plan kept as a gift and the fraud noted only as chosen', async () => {
  const calls = answerCalls({
    'GET /admin/payment/pay1': [{ body: ledger }],
    'POST /admin/payment/pay1/refund': [{ body: { message: 'Done' } }],
  });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Refund' }));
  await user.type(screen.getByLabelText('Reason'), 'Stolen card.');
  await user.click(screen.getByRole('checkbox', { name: /as a gift/ }));
  await user.click(screen.getByRole('button', { name: 'See what this will do' }));
  await screen.findByText('The Premium plan stays, as a gift.');
  await user.click(screen.getByRole('button', { name: 'Change it' }));
  await user.click(screen.getByRole('checkbox', { name: /as a gift/ }));
  await user.click(screen.getByRole('checkbox', { name: /fraudulent/ }));
  await user.click(screen.getByRole('radio', { name: /transferred it/ }));
  await user.click(screen.getByRole('button', { name: 'See what this will do' }));
  await user.click(await screen.findByRole('button', { name: 'Book $29.00 NZD as paid back' }));
  await expect
    .poll(() => calls.filter(({ method }) => method === 'POST').map(({ body }) => body))
    .toMatchObject([{ amountMinor: 2900, reason: 'Stolen card.', keep: false, fraud: true, transferred: true }]);
});
