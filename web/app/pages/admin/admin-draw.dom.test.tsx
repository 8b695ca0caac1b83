import type { AdminDraw, DrawManagement } from '@handwise/contract/draws/admin';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import AdminDrawPage from './admin-draw.tsx';

const draw = (id: string, month: number, changed: Partial<AdminDraw> = {}): AdminDraw => ({
  _id: id,
  drawDate: '2026-10-31T11:00:00Z',
  month,
  year: 2026,
  prizeAmount: 1000,
  totalEntries: 9,
  entryCount: 9,
  totalParticipants: 4,
  status: 'completed',
  waiting: null,
  winner: { userId: { _id: `w-${id}`, fullName: `Winner ${id}`, email: `${id}@example.org` }, entries: 1, entryId: 'e1' },
  outcome: 'drawn',
  paymentStatus: 'claimed',
  currency: 'NZD',
  claimBy: null,
  claimedAt: '2026-11-02T00:00:00Z',
  paidAt: null,
  reservesLeft: 1,
  struck: [],
  ...changed,
});
const pending = draw('d11', 10, { status: 'pending', winner: null, outcome: null, paymentStatus: 'pending' });
const management = (pastDraws: AdminDraw[], currentDraw = pending): { body: DrawManagement } => ({
  body: { currentDraw, pastDraws, totalEntries: 9, entryCount: 9, totalParticipants: 4, pendingPayments: 1, unmetRules: [] },
});
const show = () =>
  renderPart(
    <>
      <AdminDrawPage />
      <Toaster />
    </>,
  );
const rowOf = async (name: string) => (await screen.findByText(name)).closest('tr') as HTMLElement;
const written = (calls: ReturnType<typeof answerCalls>) => calls.filter(({ method }) => method === 'POST');

test('the prize of the pressed draw is marked as paid, once; if that fails, it is said and can be tried again', async () => {
  const late = createLateAnswer({ body: { message: 'Done' } });
  const calls = answerCalls({
    'GET /admin/draw-management': [management([draw('d9', 8), draw('d8', 7)])],
    'POST /admin/process-payment/d8': [null, late.answer],
  });
  const { user } = show();
  await user.click(within(await rowOf('Winner d8')).getByRole('button', { name: 'Process Payment' }));
  await screen.findByText(/^Error processing payment|connecting/);
  expect(screen.queryByText('Payment marked as processed')).toBeNull();
  await user.dblClick(within(await rowOf('Winner d8')).getByRole('button', { name: 'Process Payment' }));
  late.give();
  await screen.findByText('Payment marked as processed');
  const path = '/admin/process-payment/d8';
  expect(written(calls).map((one) => one.path)).toEqual([path, path]);
});

test('the draw is run only after the question is answered with yes, and a failure is said', async () => {
  const calls = answerCalls({ 'GET /admin/draw-management': [management([])], 'POST /admin/run-draw': [null] });
  const { user } = show();
  await user.click(await screen.findByRole('button', { name: 'Run Draw Now' }));
  const dialog = screen.getByRole('dialog', { name: 'Run Draw Now' });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(written(calls)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Run Draw Now' }));
  await user.click(within(dialog).getByRole('button', { name: 'Run the draw' }));
  await screen.findByText(/^Error running draw|connecting/);
  expect(written(calls)).toHaveLength(1);
  screen.getByRole('button', { name: 'Run Draw Now' });
});

test('striking a winner names them and what follows, keeps the reason when it fails, and strikes that one', async () => {
  const calls = answerCalls({
    'GET /admin/draw-management': [management([draw('d9', 8), draw('d8', 7, { reservesLeft: 0 })])],
    'POST /admin/draws/d8/strike': [null, { body: { message: 'Struck.' } }],
  });
  const { user } = show();
  await user.click(within(await rowOf('Winner d8')).getByRole('button', { name: 'Strike the winner' }));
  const dialog = screen.getByRole('dialog', { name: 'Strike the winner of August 2026' });
  within(dialog).getByText(/^Winner d8 loses the prize for good\. There is no reserve left/);
  await user.type(within(dialog).getByLabelText('Reason'), 'Works for us.');
  const strike = within(dialog).getByRole('button', { name: 'Strike the winner' });
  await user.click(strike);
  await within(dialog).findByText(/connecting/);
  expect(within(dialog).getByLabelText('Reason')).toHaveProperty('value', 'Works for us.');
  await user.click(strike);
  await screen.findByText('Struck.');
  expect(written(calls).map(({ path, body }) => [path, body])).toEqual(
    [1, 2].map(() => ['/admin/draws/d8/strike', { reason: 'Works for us.' }]),
  );
});

test('bank details are asked for with a reason each time, and are gone once their dialog closes', async () => {
  const details = { accountHolder: 'Winner d9', accountNumber: '12-3456-7890123-00', bankName: 'ASB', prizeAmount: 1000, currency: 'NZD' };
  const calls = answerCalls({
    'GET /admin/draw-management': [management([draw('d9', 8)])],
    'GET /admin/draws/d9/payment-details': [{ body: { ...details, livesIn: null, claimedAt: '2026-11-02T00:00:00Z' } }],
  });
  const { user } = show();
  const open = async () => user.click(within(await rowOf('Winner d9')).getByRole('button', { name: 'Payment details' }));
  await open();
  const dialog = screen.getByRole('dialog', { name: 'Payment details of September 2026' });
  await user.click(within(dialog).getByRole('button', { name: 'Show the details' }));
  expect(calls.filter(({ path }) => path.includes('payment-details'))).toEqual([]);
  await user.type(within(dialog).getByLabelText('Reason'), 'Paying it.');
  await user.click(within(dialog).getByRole('button', { name: 'Show the details' }));
  await within(dialog).findByText('12-3456-7890123-00');
  within(dialog).getByText('$1,000 NZD');
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await open();
  expect(screen.queryByText('12-3456-7890123-00')).toBeNull();
  within(dialog).getByRole('button', { name: 'Show the details' });
});
