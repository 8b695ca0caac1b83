import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { PaymentReturned } from './payment-return.tsx';

beforeEach(() => storeUser({ _id: 'me', token: 'token' } as StoredUser));

test.each([
  ['listing', 'payment_intent=pi_1', 'POST /plan-user/confirm-payment', { paymentIntentId: 'pi_1' }, 'Your plan is paid'],
  ['card', 'setup_intent=seti_1', 'POST /credit', { setupIntentId: 'seti_1' }, 'Your card is saved'],
])(
  'a %s whose outcome could not be read is neither done nor failed, and its outcome is asked for again',
  async (purpose, id, address, body, done) => {
    const calls = answerCalls({ [address]: [null, { body: { refunded: false } }] });
    const { user } = renderPart(<PaymentReturned />, { path: `/?for=${purpose}&${id}&redirect_status=succeeded` });
    await screen.findByText('We don’t know yet');
    await user.click(screen.getByRole('button', { name: 'Try Again' }));
    await screen.findByText(done);
    expect(calls.map((one) => one.body)).toEqual([body, body]);
  },
);

test('a return that names no payment asks nothing and shows nothing as paid, whatever the address says', async () => {
  const calls = answerCalls({});
  renderPart(<PaymentReturned />, { path: '/?for=renewal&redirect_status=succeeded' });
  await screen.findByText('Payment not found');
  await waitFor(() => expect(calls).toEqual([]));
});
