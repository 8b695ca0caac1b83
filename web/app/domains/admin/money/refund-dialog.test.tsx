import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RefundForm } from './refund-dialog.tsx';

const ledger = {
  currency: 'NZD',
  boughtMinor: 2500,
  owedMinor: 400,
  payer: { name: 'Mere Kingi' },
  bought: { planName: 'Premium' },
  disputes: [],
} as unknown as PaymentLedger;

type Request = NonNullable<Parameters<typeof RefundForm>[0]['start']>;

/** The labels of what the form has chosen when it opens. */
function chosenAtStart(start: Request | undefined, changed: Partial<PaymentLedger> = {}) {
  const html = renderToStaticMarkup(<RefundForm ledger={{ ...ledger, ...changed }} start={start} onDone={() => {}} />);
  return [...html.matchAll(/<input[^>]* checked=""[^>]*\/>(?:<span>)?([^<]*)/g)].map(([, label]) => label);
}

test('starts with what we owe, to the card; while a bank decides, a transfer is the only way', () => {
  expect(chosenAtStart(undefined)).toEqual(['What we owe: $4.00 NZD', 'To the card']);
  const disputes = [{ status: 'under_review' }] as PaymentLedger['disputes'];
  expect(chosenAtStart(undefined, { disputes })).toEqual(['What we owe: $4.00 NZD']);
});

test('keeps what was chosen when a refund is changed, so that a transfer does not become another refund to the card', () => {
  const request: Request = { howMuch: 'all', amountMinor: 2900, reason: 'Faults.', keep: true, fraud: true, transferred: true };
  expect(chosenAtStart(request)).toEqual([
    'Everything that is left: $29.00 NZD',
    'I have transferred it to a bank account',
    'Keep Mere Kingi’s plan running, as a gift',
    'The payment was fraudulent: tickets that others got from it become void',
  ]);
  expect(chosenAtStart({ ...request, howMuch: 'part', amountMinor: 550, fraud: false, transferred: false })).toEqual([
    'A part',
    'To the card',
  ]);
});
