import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { savedCards } from '../../domains/payments/payment-queries.ts';
import { storeUser, type StoredUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import AccountPaymentPage from './account-payment.tsx';

const card = { _id: 'visa', fullName: 'Mere Kingi', cardBrand: 'visa', cardLast4: '4242', expMonth: 12, expYear: 2090 };
const added = { ...card, _id: 'new', cardLast4: '9995' };
const config = { payments: { mode: 'sandbox', apiBase: '', publishableKey: 'pk_test' } };

beforeEach(() => storeUser({ _id: 'me', token: 'token', fullName: 'Mere Kingi', email: 'mere@example.org' } as StoredUser));

function render(answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls({
    'GET /credit/all': [{ body: { data: [card] } }],
    'GET /config': [{ body: config }],
    'POST /credit/setup-intent': [{ body: { setupIntentId: 'seti_1' } }, { body: { setupIntentId: 'seti_2' } }],
    'POST /v1/confirmation_tokens': [{ body: { id: 'token_1' } }],
    'POST /credit/confirm-setup': [{ body: { status: 'done', clientSecret: null } }],
    'POST /credit': [{ body: added }],
    ...answers,
  });
  const part = renderPart(
    <>
      <Toaster />
      <AccountPaymentPage />
    </>,
    { root: { market: 'NZ' } },
  );
  const press = async (name: string | RegExp) => part.user.click(await screen.findByRole('button', { name }));
  const type = async () => {
    await press('Add a card');
    // The first of the test cards.
    await part.user.click((await screen.findByText('4242 4242 4242 4242')).closest('button') as HTMLElement);
  };
  return { ...part, press, type, changes: () => calls.filter(({ method }) => method !== 'GET').map(({ path }) => path) };
}

test('a card that was accepted but not stored is stored at the next press, without being sent again', async () => {
  const { press, type, changes } = render({ 'POST /credit': [null, { body: added }] });
  await type();
  await press('Save card');
  await screen.findByText(/trouble connecting to the server/);
  expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4242 4242 4242 4242');
  await press('Save card');
  await screen.findByText('Card saved');
  await screen.findByRole('button', { name: 'Delete Visa •••• 9995' });
  expect(changes()).toEqual(['/credit/setup-intent', '/v1/confirmation_tokens', '/credit/confirm-setup', '/credit', '/credit']);
});

test('a card that the bank refuses is not stored, and another one is sent anew', async () => {
  const refused = { status: 409, body: { code: 'payment_incomplete', message: 'Your bank did not confirm the card.' } };
  const { press, type, changes } = render({ 'POST /credit/confirm-setup': [refused, { body: { status: 'done', clientSecret: null } }] });
  await type();
  await press('Save card');
  await screen.findByText('Your bank did not confirm the card.');
  expect(changes()).not.toContain('/credit');
  await press('Save card');
  await screen.findByRole('button', { name: 'Delete Visa •••• 9995' });
  expect(changes().filter((path) => path === '/credit/setup-intent')).toHaveLength(2);
});

test('a card is deleted only after a second yes, and stays in the list if that fails', async () => {
  const { press, changes } = render({
    'GET /credit/all': [{ body: { data: [card] } }, null, { body: { data: [] } }],
    'DELETE /credit/visa': [null, { body: {} }],
  });
  await press('Delete Visa •••• 4242');
  await press('Keep card');
  expect(changes()).toEqual([]);
  await press('Delete Visa •••• 4242');
  await press('Delete card');
  await screen.findByText(/trouble connecting to the server/);
  await press('Delete Visa •••• 4242');
  await press('Delete card');
  await screen.findByText('Card deleted');
  await screen.findByText('No payment methods found');
  expect(changes()).toEqual(['/credit/visa', '/credit/visa']);
});

test('cards that could not be loaded are not shown as none; a card that is being typed stays', async () => {
  const { press, type, client } = render({ 'GET /credit/all': [null, { body: { data: [card] } }, null] });
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('No payment methods found')).toBeNull();
  await press('Try Again');
  await type();
  await client.invalidateQueries();
  await waitFor(() => expect(client.getQueryState(savedCards.queryKey)?.status).toBe('error'));
  expect(screen.getByLabelText<HTMLInputElement>('Card number').value).toBe('4242 4242 4242 4242');
});
