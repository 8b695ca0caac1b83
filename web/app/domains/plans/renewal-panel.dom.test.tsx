import type { Renewal, Subscription } from '@handwise/contract/plans/calls';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Toaster } from '../../ui/feedback/toast.tsx';
import { RenewalPanel } from './renewal-panel.tsx';

const card = { _id: 'newest', fullName: 'Mere Kingi', cardBrand: 'visa', cardLast4: '4242', expMonth: 12, expYear: 2090 };
const other = { ...card, _id: 'older', cardLast4: '1111' };
const on: Renewal = {
  cardId: 'newest',
  amount: 2500,
  currency: 'AUD',
  nextChargeAt: '2090-12-21T00:00:00.000Z',
  state: 'on',
  problem: null,
};
const config = { payments: { mode: 'sandbox', apiBase: '', publishableKey: 'pk_test' } };
const bankAsks = { status: 'requires_action', clientSecret: 'pi_1_secret_1', paymentIntentId: 'pi_1', message: '' };

function render(renewal: Renewal | null, answers: Parameters<typeof answerCalls>[0]) {
  const subscription = {
    _id: 'plan',
    plan: { name: 'Premium', priceMinor: 2500 },
    country: 'AU',
    endDate: new Date(Date.now() + 20 * 86_400_000).toISOString(),
    timeZone: 'Australia/Perth',
    renewal,
    isDisputed: false,
  } as unknown as Subscription;
  const calls = answerCalls({
    'GET /credit/all': [{ body: { data: [card, other] } }],
    'GET /config': [{ body: config }],
    'GET /v1/payment_intents/pi_1': [{ body: { next_action: null } }],
    ...answers,
  });
  const panel = <RenewalPanel subscription={subscription} userId="me" hasFreeMonth={false} />;
  const part = renderPart(
    <>
      <Toaster />
      {panel}
    </>,
  );
  return { ...part, changes: () => calls.filter(({ method }) => method !== 'GET') };
}

test('a renewal is switched on once for two presses, with the card and the price that are shown', async () => {
  const { answer, give } = createLateAnswer({ body: { status: 'done', message: 'It renews from now on' } });
  const { user, changes } = render(null, { 'PUT /plan-user/plan/renewal': [answer] });
  await user.selectOptions(await screen.findByLabelText('Card'), 'older');
  expect(screen.getByText('$25.00 AUD incl. GST')).toBeTruthy();
  const button = screen.getByRole('button', { name: /^Renew every 30 days/ });
  await user.click(button);
  await user.click(button);
  give();
  await screen.findByText('It renews from now on');
  expect(changes()).toEqual([{ method: 'PUT', path: '/plan-user/plan/renewal', body: { cardId: 'older', amount: 2500 } }]);
});

test('a charge that the bank refuses is no renewal, and can be tried again', async () => {
  const refused = { id: 'pi_1', status: 'requires_payment_method', last_payment_error: { type: 'card_error', code: 'card_declined' } };
  const { user, changes } = render(null, {
    'PUT /plan-user/plan/renewal': [{ body: bankAsks }],
    'POST /sandbox/authenticate': [{ body: refused }, { body: { id: 'pi_1', status: 'succeeded' } }],
    'POST /plan-user/confirm-payment': [{ body: { refunded: false, message: '' } }],
  });
  const renew = async () => user.click(await screen.findByRole('button', { name: /^Renew every 30 days/ }));
  await renew();
  await user.click(await screen.findByRole('button', { name: 'Fail authentication' }));
  await screen.findByText(/declined/);
  expect(screen.queryByText('Your plan is renewed')).toBeNull();
  expect(changes().map(({ path }) => path)).not.toContain('/plan-user/confirm-payment');
  await renew();
  await user.click(await screen.findByRole('button', { name: 'Complete authentication' }));
  await screen.findByText('Your plan is renewed');
  expect(changes().at(-1)).toEqual({ method: 'POST', path: '/plan-user/confirm-payment', body: { paymentIntentId: 'pi_1' } });
});

test('a charge that bought nothing is said to go back, and not called a renewal', async () => {
  const { user, changes } = render(null, {
    'PUT /plan-user/plan/renewal': [{ body: { ...bankAsks, clientSecret: 'pi_2_secret_2', paymentIntentId: 'pi_2' } }],
    'GET /v1/payment_intents/pi_2': [{ body: { next_action: null } }],
    'POST /sandbox/authenticate': [{ body: { id: 'pi_2', status: 'succeeded' } }],
    'POST /plan-user/confirm-payment': [{ body: { refunded: true, message: 'The payment goes back to your card.' } }],
  });
  await user.click(await screen.findByRole('button', { name: /^Renew every 30 days/ }));
  await user.click(await screen.findByRole('button', { name: 'Complete authentication' }));
  await screen.findByText('The payment goes back to your card.');
  expect(changes().at(-1)).toMatchObject({ path: '/plan-user/confirm-payment', body: { paymentIntentId: 'pi_2' } });
});

test('a renewal that could not be switched off is said to be so, and can be switched off again', async () => {
  const { user, changes } = render(on, { 'DELETE /plan-user/plan/renewal': [null, { body: { message: 'It ends by itself now' } }] });
  const switchOff = async () => user.click(await screen.findByRole('button', { name: /^Switch off renewal/ }));
  await switchOff();
  await screen.findByText(/trouble connecting to the server/);
  expect(screen.queryByText('It ends by itself now')).toBeNull();
  await switchOff();
  await screen.findByText('It ends by itself now');
  expect(changes()).toHaveLength(2);
});

test('another card is sent only once it is saved; keeping the card sends nothing', async () => {
  const { user, changes } = render(on, { 'PUT /plan-user/plan/renewal': [{ body: { status: 'done', message: 'Another card pays now' } }] });
  await user.click(await screen.findByRole('button', { name: /^Change card/ }));
  await user.selectOptions(screen.getByLabelText('Card'), 'older');
  await user.click(screen.getByRole('button', { name: 'Keep card' }));
  expect(screen.getByText('Visa •••• 4242')).toBeTruthy();
  expect(changes()).toEqual([]);
  await user.click(screen.getByRole('button', { name: /^Change card/ }));
  expect(screen.getByLabelText<HTMLSelectElement>('Card').value).toBe('newest');
  await user.selectOptions(screen.getByLabelText('Card'), 'older');
  await user.click(screen.getByRole('button', { name: /^Save card/ }));
  await screen.findByText('Another card pays now');
  expect(changes()).toEqual([{ method: 'PUT', path: '/plan-user/plan/renewal', body: { cardId: 'older', amount: 2500 } }]);
});
