import { dateText } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { bankDays } from '@handwise/contract/periods';
import { failureText } from '@handwise/contract/payments/refund-words';
import { type AdjustmentNote, adjustmentTitles } from '@handwise/contract/payments/refunds';
import { greetingOf } from '../../../kit/mail/mail-words.ts';
import type { Mail, MailBlock } from '../../../kit/mail/mail.ts';
import { money } from '@handwise/contract/money';

type Told = {
  to: string;
  name: string;
  amountMinor: number;
  paidMinor: number;
  currency: string;
  reason: string;
  source: string;
  appUrl: string;
};

/** What the correction of a tax invoice must say in both countries. */
const noteBlocks = (note: AdjustmentNote): MailBlock[] => [
  { kind: 'heading', text: `${adjustmentTitles[note.country]} ${note.number}` },
  {
    kind: 'facts',
    rows: [
      { label: 'Date', value: dateText(note.issuedAt, note.timeZone) },
      { label: 'Corrects tax invoice', value: `${note.receiptNumber} of ${dateText(note.receiptIssuedAt, note.timeZone)}` },
      { label: 'For', value: note.description },
      { label: 'Reason', value: note.reason },
      { label: `GST included (${note.gstPercent} %)`, value: money(note.gstMinor, note.currency) },
      { label: 'Price reduced by', value: money(note.totalMinor, note.currency), strong: true },
    ],
  },
  {
    kind: 'facts',
    rows: [
      { label: 'From', value: `${note.supplier.name}, ${note.supplier.address}` },
      { label: note.country === 'NZ' ? 'GST number' : 'ABN', value: note.supplier.taxNumber },
      { label: 'To', value: `${note.customer.name}, ${note.customer.email}` },
    ],
  },
];

/** The provider says that the money has gone back. With the note where there is a tax invoice to correct. */
export function refundMail(told: Told, note: AdjustmentNote | undefined): Mail {
  const amount = money(told.amountMinor, told.currency);
  const isWhole = told.amountMinor === told.paidMinor;
  const isToCard = told.source !== 'transfer' && told.source !== 'dispute';
  const way = isToCard ? 'to your card' : 'to you';
  const what = isWhole
    ? `We have refunded your payment of ${amount} in full.`
    : `We have refunded ${amount} of your payment of ${money(told.paidMinor, told.currency)}.`;
  return {
    to: told.to,
    subject: isWhole ? `Your payment of ${amount} is going back ${way}` : `${amount} of your payment is going back ${way}`,
    preview: told.reason,
    greeting: greetingOf(told.name),
    blocks: [
      { kind: 'text', text: `${what} ${told.reason}` },
      ...(isToCard ? [{ kind: 'text' as const, text: `Banks usually show it within ${bankDays}. You don’t need to do anything.` }] : []),
      ...(note ? noteBlocks(note) : []),
      note
        ? { kind: 'button', label: 'See my refunds and invoices', url: told.appUrl + paths.receipts }
        : { kind: 'button', label: 'See my listings', url: told.appUrl + paths.ownListings },
    ],
  };
}

/** A refund did not arrive. The payer need do nothing yet. */
export function failedMail(told: Told): Mail {
  const amount = money(told.amountMinor, told.currency);
  return {
    to: told.to,
    subject: `Your bank did not accept our refund of ${amount}`,
    preview: 'We still owe you this money.',
    greeting: greetingOf(told.name),
    blocks: [
      { kind: 'text', text: `We have sent ${amount} back to your card, but your bank did not accept it. We still owe you this money.` },
      { kind: 'text', text: 'We will write to you about another way to pay it. If your card has been replaced, please reply and tell us.' },
      { kind: 'button', label: 'See my refunds', url: told.appUrl + paths.receipts },
    ],
  };
}

type Failed = Told & { paymentId: string; providerId: string | null; failure: string };

/** What the operator is to do about it. */
export const failedOperatorMail = (to: string, failed: Failed): Mail => ({
  to,
  subject: `A refund of ${money(failed.amountMinor, failed.currency)} failed`,
  preview: failureText(failed.failure),
  blocks: [
    { kind: 'text', text: `The money is back with us, and we owe it to ${failed.name}. ${failureText(failed.failure)}` },
    {
      kind: 'facts',
      rows: [
        { label: 'Payment', value: failed.paymentId },
        { label: 'Refund at the provider', value: failed.providerId ?? 'none' },
        { label: 'Reason given', value: failed.reason },
      ],
    },
    {
      kind: 'text',
      text: 'Ask the payer for a bank account and transfer the money, or refund the payment again if the card works by now. Then record it with the payment: the books stay open until somebody does.',
    },
    { kind: 'button', label: 'See the payment', url: failed.appUrl + paths.adminPayment(failed.paymentId) },
  ],
});
