import type { WonDraw } from '@handwise/contract/draws/calls';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerCalls, renderPart } from '../../../lib/testing/document.tsx';
import { ClaimForm } from './claim-form.tsx';

const draw = { currency: 'NZD', leftOut: [], paymentStatus: 'pending' } as unknown as WonDraw;
const number = '01-0902-0068389-00';

function render(answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls(answers);
  const { user } = renderPart(<ClaimForm draw={draw} />);
  const fill = async () => {
    await user.type(await screen.findByLabelText('Bank Name'), 'ANZ');
    await user.type(screen.getByLabelText('Account Holder Name'), 'Mere Kingi');
    await user.type(screen.getByLabelText('Account Number'), number);
  };
  const submit = () => user.click(screen.getByRole('button', { name: 'Submit Payment Details' }));
  return { user, calls, fill, submit };
}

test('an account that the prize could not be claimed with stays typed and is sent again as it is', async () => {
  const { calls, fill, submit } = render({ 'POST /referral/payment-details': [null, { body: { draw } }] });
  await fill();
  await submit();
  await screen.findByText(/Nothing you typed is lost/);
  expect(screen.getByLabelText<HTMLInputElement>('Account Number').value).toBe(number);
  await submit();
  await screen.findByRole('button', { name: 'Submit Payment Details' });
  const [first, again] = calls.map(({ body }) => body);
  expect(first).toMatchObject({ bankName: 'ANZ', accountHolder: 'Mere Kingi', currency: 'NZD' });
  expect(again).toEqual(first);
});

test("a number of the other country's banks is refused before it is sent, once the currency is changed", async () => {
  const { user, calls, fill, submit } = render({});
  await fill();
  await user.selectOptions(screen.getByLabelText('Currency of the account'), 'AUD');
  await submit();
  await screen.findByRole('alert');
  expect(screen.getByLabelText('Account Number').getAttribute('aria-invalid')).toBe('true');
  expect(calls).toEqual([]);
});
