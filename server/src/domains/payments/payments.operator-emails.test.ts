import { expect, test } from 'vitest';
import { refundEmail } from './payments.emails.ts';
import {
  disputeClosedEmail,
  disputeOpenedEmail,
  fraudWarningEmail,
  paymentFoundOperatorEmail,
  refundFailedOperatorEmail,
} from './payments.operator-emails.ts';

// What the operator has to do, and the payer is told, in each case.

const appUrl = 'https://handwise.example';
const operator = 'help@handwise.example';
const paymentId = '019c0000-0000-7000-8000-000000000001';
type Sent = ReturnType<typeof refundEmail>;
const textsOf = ({ blocks }: Sent) => blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : []));
const rowsOf = ({ blocks }: Sent) =>
  blocks.flatMap((block) => (block.kind === 'facts' ? block.rows.map(({ label, value }) => `${label}: ${value}`) : []));
const linksOf = ({ blocks }: Sent) => blocks.flatMap((block) => (block.kind === 'button' ? [`${block.label}: ${block.url}`] : []));
const toPayment = [`See the payment: ${appUrl}/admin/payments/${paymentId}`];

const about = { amount_minor: 2500, currency: 'NZD', paymentId, payer: 'Mere Kīngi', appUrl };
// The evening of the 1st in UTC.
const dispute = { ...about, provider_id: 'du_1', reason: 'product_not_received', due_by: new Date('2027-04-01T20:00:00Z') };

test('a dispute says what was taken and until when to answer, by the clocks of New Zealand', () => {
  const mail = disputeOpenedEmail(operator, { ...dispute, status: 'needs_response' });
  expect(mail).toMatchObject({ to: operator, subject: 'A dispute about $25.00 NZD from Mere Kīngi', preview: 'Answer until: Apr 2, 2027' });
  expect(textsOf(mail)[0]).toContain('the bank has taken the money back for now');
  expect(rowsOf(mail)).toEqual([
    'Dispute: du_1',
    'Reason: product not received',
    'State: needs response',
    'Answer until: Apr 2, 2027',
    `Payment: ${paymentId}`,
  ]);
  expect(linksOf(mail)).toEqual(toPayment);
});

test('an inquiry says that nothing has been taken, and a missing date is no date', () => {
  const mail = disputeOpenedEmail(operator, { ...dispute, status: 'warning_needs_response', due_by: null });
  expect(mail).toMatchObject({ subject: 'An inquiry about $25.00 NZD from Mere Kīngi', preview: 'Answer until: no date set' });
  expect(textsOf(mail)[0]).toContain('Nothing has been taken yet');
});

test.each([
  ['won', 'We won it: the money is back with us, and the plan is as it was.'],
  ['lost', 'We lost it: the money is with the cardholder. If it was the whole payment, what it bought has ended.'],
  ['warning_closed', 'It was closed and nothing was taken.'],
] as const)('the end of a dispute that is %s says who has the money', (status, ending) => {
  const mail = disputeClosedEmail(operator, { ...dispute, status, owed: 0 });
  expect([mail.preview, textsOf(mail), linksOf(mail)]).toEqual([ending, [ending], toPayment]);
  expect(mail.subject).toBe(`The dispute about $25.00 NZD from Mere Kīngi: ${status.replaceAll('_', ' ')}`);
  expect(textsOf(disputeClosedEmail(operator, { ...dispute, status, owed: 1000 }))).toEqual([
    ending,
    'We owe the payer $10.00 NZD of this payment, because the plan had already ended.',
  ]);
});

test.each([
  [true, /refund it now and mark it as fraud/],
  [false, /nothing to do/],
])('a fraud warning (something can be done: %s) says what to do', (actionable, words) => {
  const mail = fraudWarningEmail(operator, { ...about, fraudType: 'made_with_lost_card', actionable });
  expect([textsOf(mail), rowsOf(mail), linksOf(mail)]).toEqual([
    [expect.stringMatching(words)],
    ['Kind: made with lost card', `Payment: ${paymentId}`],
    toPayment,
  ]);
});

test.each([
  ['rebuilt', 'It has been restored.', /It has been restored and booked, under its old number/, toPayment],
  ['returned', 'It is going back to its payer.', /It is being refunded in full/, []],
] as const)('a found payment that is %s says so', (outcome, preview, words, links) => {
  const found = { ...about, intent_id: 'pi_1', payment_id: paymentId, user_id: 'u1', outcome, reason: 'Its account is gone.' };
  const mail = paymentFoundOperatorEmail(operator, found);
  expect(mail).toMatchObject({ to: operator, subject: 'A payment of $25.00 NZD was found at the provider', preview });
  expect([textsOf(mail), linksOf(mail)]).toEqual([[expect.stringMatching(words)], links]);
  expect(rowsOf(mail)).toEqual(['Intent: pi_1', `Payment: ${paymentId}`, 'Payer: u1', 'Why: Its account is gone.']);
});

const refund = { to: 'mere@example.org', name: 'Mere Kīngi', paidMinor: 2500, currency: 'NZD', reason: 'So agreed.', appUrl };

test('a failed refund says what is owed to whom, and names what to look for', () => {
  const failed = {
    ...refund,
    amountMinor: 1000,
    source: 'administrator',
    paymentId,
    providerId: null,
    failure: 'expired_or_canceled_card',
  };
  const mail = refundFailedOperatorEmail(operator, failed);
  expect(mail).toMatchObject({ to: operator, subject: 'A refund of $10.00 NZD failed' });
  expect(textsOf(mail)[0]).toMatch(/^The money is back with us, and we owe it to Mere Kīngi\. /);
  expect(rowsOf(mail)).toEqual([`Payment: ${paymentId}`, 'Refund at the provider: none', 'Reason given: So agreed.']);
  expect(linksOf(mail)).toEqual(toPayment);
});

test.each([
  ['administrator', 2500, 'Your payment of $25.00 NZD is going back to your card', 'We have refunded your payment of $25.00 NZD in full.'],
  [
    'administrator',
    1000,
    '$10.00 NZD of your payment is going back to your card',
    'We have refunded $10.00 NZD of your payment of $25.00 NZD.',
  ],
  ['transfer', 2500, 'Your payment of $25.00 NZD is going back to you', 'We have refunded your payment of $25.00 NZD in full.'],
  ['dispute', 1000, '$10.00 NZD of your payment is going back to you', 'We have refunded $10.00 NZD of your payment of $25.00 NZD.'],
])('a refund by %s of %i cents says how much goes where', (source, amountMinor, subject, what) => {
  const mail = refundEmail({ ...refund, amountMinor, source }, undefined);
  expect(mail).toMatchObject({ to: 'mere@example.org', subject, preview: 'So agreed.' });
  const [first, ...more] = textsOf(mail);
  // Only what goes to a card takes the bank some days.
  expect([first, more.map((text) => text.split(' ')[0])]).toEqual([`${what} So agreed.`, source === 'administrator' ? ['Banks'] : []]);
  expect(linksOf(mail)).toEqual([`See my listings: ${appUrl}/mylistings/mylistings`]);
});
