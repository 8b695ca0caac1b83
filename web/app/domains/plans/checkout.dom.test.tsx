import type { Plan } from '@handwise/contract/plans/calls';
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { answerCalls, createLateAnswer, renderPart } from '../../lib/testing/document.tsx';
import { Checkout } from './checkout.tsx';
import type { CheckoutPayment } from './plan-queries.ts';
import type { Purchase } from './use-checkout.ts';

const plan = { _id: 'plan', name: 'Premium', planType: 'premium', priceMinor: 2500, slots: 5, photos: 10 } as Plan;
const open: CheckoutPayment = { paymentIntentId: 'pi_0', userId: 'me', planId: 'plan', country: 'AU', state: 'open' };
const intent = { paymentIntentId: 'pi_1', clientSecret: 'pi_1_secret', amount: 2500, free: null, heldReferral: null };
const incomplete = { status: 409, body: { code: 'payment_incomplete', message: 'The payment was not completed.' } };
const bought = { body: { subscription: { _id: 'bought' } } };
const paid = { body: { status: 'done', clientSecret: null } };

function render(answers: Parameters<typeof answerCalls>[0], before: CheckoutPayment | null = null) {
  const ready: (string | null)[] = [];
  const calls = answerCalls({
    'GET /config': [{ body: { payments: { mode: 'sandbox', apiBase: '', publishableKey: 'pk_test' } } }],
    'POST /plan-user/create-intent': [{ body: intent }],
    'POST /v1/confirmation_tokens': [{ body: { id: 'token_1' } }],
    ...answers,
  });
  function Page() {
    const [payment, setPayment] = useState(before);
    const purchase: Purchase = {
      user: { id: 'me', name: 'Mere Kingi', email: 'mere@example.org', emailConfirmed: true },
      plan,
      country: 'AU',
      cover: undefined,
      payment,
      freeFirstMonth: false,
      hasCredit: false,
      referralCode: '',
      businessNumber: '12345678901',
    };
    return (
      <Checkout
        purchase={purchase}
        onChange={(change) => change.payment !== undefined && setPayment(change.payment)}
        onReady={(paymentId) => ready.push(paymentId)}
        failure={null}
        onChangePlan={() => {}}
        actions={(next) => next}
      >
        Drains
      </Checkout>
    );
  }
  const part = renderPart(<Page />);
  const fill = async () => part.user.click((await screen.findByText('4242 4242 4242 4242')).closest('button') as HTMLElement);
  const payButton = () => screen.findByRole('button', { name: 'Pay Now · $25.00 AUD' });
  const sent = (path: string) => calls.filter((one) => one.path === `/plan-user/${path}`).map(({ body }) => body);
  return { ...part, fill, payButton, sent, ready };
}

test('a plan is paid for once for two presses, for the price and the country on the screen', async () => {
  const { answer, give } = createLateAnswer(paid);
  const { user, fill, payButton, sent, ready } = render({ 'POST /plan-user/pay': [answer], 'POST /plan-user/confirm-payment': [bought] });
  await fill();
  const button = await payButton();
  await user.click(button);
  await user.click(button);
  await waitFor(() => expect(sent('pay')).toHaveLength(1));
  give();
  await waitFor(() => expect(ready).toEqual(['pi_1']));
  expect(sent('create-intent')).toEqual([{ planId: 'plan', country: 'AU', businessNumber: '12345678901' }]);
  expect(sent('pay')).toEqual([{ paymentIntentId: 'pi_1', confirmationToken: 'token_1', saveCard: false }]);
});

test('a payment whose outcome is unknown is neither paid nor to be paid again: trying again asks for its outcome', async () => {
  const { user, fill, payButton, sent, ready } = render({
    'POST /plan-user/pay': [null],
    'POST /plan-user/confirm-payment': [null, bought],
  });
  await fill();
  await user.click(await payButton());
  await screen.findByRole('button', { name: 'Try Again' });
  expect(screen.queryByRole('button', { name: /Pay Now/ })).toBeNull();
  expect(screen.queryByText(/is paid/)).toBeNull();
  expect(ready).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByText('Your Premium plan is paid.');
  await user.click(screen.getByRole('button', { name: 'Create Listing' }));
  await waitFor(() => expect(ready).toEqual(['pi_1']));
  expect(sent('pay')).toHaveLength(1);
});

test('after a declined card, what was typed stays and the same payment is tried again', async () => {
  const declined = { status: 402, body: { code: 'card_declined', message: 'Your bank declined the card.' } };
  const { user, fill, payButton, sent, ready } = render({
    'POST /plan-user/pay': [declined, paid],
    'POST /plan-user/confirm-payment': [incomplete, bought],
  });
  await fill();
  await user.click(screen.getByRole('checkbox', { name: /Save this card/ }));
  await user.click(await payButton());
  const problem = await screen.findByRole('alert');
  expect(problem.textContent).toContain('Your bank declined the card.');
  expect(document.activeElement).toBe(problem);
  expect((await screen.findByLabelText<HTMLInputElement>('Card number')).value).toBe('4242 4242 4242 4242');
  await user.click(await payButton());
  await waitFor(() => expect(ready).toEqual(['pi_1']));
  expect(sent('pay')).toEqual(Array.from({ length: 2 }, () => ({ paymentIntentId: 'pi_1', confirmationToken: 'token_1', saveCard: true })));
});

test('after card data that the provider refused or did not get, nothing is sent and the same payment can be tried again', async () => {
  const refused = { status: 402, body: { error: { type: 'card_error', code: 'incorrect_number' } } };
  const { user, fill, payButton, sent, ready } = render({
    'POST /v1/confirmation_tokens': [refused, null, { body: { id: 'token_1' } }],
    'POST /plan-user/pay': [paid],
    'POST /plan-user/confirm-payment': [bought],
  });
  await fill();
  for (const reason of [/number/, /unexpected/]) {
    await user.click(await payButton());
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(reason));
    expect(sent('pay')).toEqual([]);
    expect(screen.getByLabelText<HTMLInputElement>('Card number').disabled).toBe(false);
  }
  await user.click(await payButton());
  await waitFor(() => expect(ready).toEqual(['pi_1']));
  expect(sent('pay')).toHaveLength(1);
});

test('the payment of an earlier visit is looked up before another one can be begun', async () => {
  const { answer, give } = createLateAnswer(incomplete);
  const { payButton, sent } = render({ 'POST /plan-user/confirm-payment': [answer] }, open);
  await screen.findByText('Confirming payment...', { selector: 'strong' });
  expect(screen.queryByRole('button', { name: /Pay Now/ })).toBeNull();
  expect(sent('create-intent')).toEqual([]);
  give();
  await payButton();
  expect(sent('confirm-payment')).toEqual([{ paymentIntentId: 'pi_0' }]);
});

test('a price that could not be had is no free plan, and is asked for again', async () => {
  const { user, payButton } = render({ 'POST /plan-user/create-intent': [null, { body: intent }] });
  const retry = await screen.findByRole('button', { name: 'Try Again' });
  expect(screen.queryByRole('button', { name: /Create Listing|Pay Now/ })).toBeNull();
  await user.click(retry);
  expect(await payButton()).toBeTruthy();
});
