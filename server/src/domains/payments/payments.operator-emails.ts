import { adminPaths } from '@handwise/contract/admin/paths';
import type { DisputeStatus } from '@handwise/contract/admin/payments';
import { formatDate } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { money } from '@handwise/contract/money';
import { describeRefundFailure } from '@handwise/contract/payments/refund-words';
import type { Mail, MailBlock } from '../../kit/mail/mail.ts';
import type { FoundNotice, RefundNotice } from './payments.emails.ts';

type FailedRefund = RefundNotice & { paymentId: string; providerId: string | null; failure: string };

/** Asks the operator to pay a failed refund by another way. */
export const refundFailedOperatorEmail = (to: string, failed: FailedRefund): Mail => ({
  to,
  subject: `A refund of ${money(failed.amountMinor, failed.currency)} failed`,
  preview: describeRefundFailure(failed.failure),
  blocks: [
    { kind: 'text', text: `The money is back with us, and we owe it to ${failed.name}. ${describeRefundFailure(failed.failure)}` },
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
      text: 'Ask the payer for a bank account and transfer the money, or refund the payment again if the card works by now. Then record it with the payment: the ledger does not balance until someone does.',
    },
    { kind: 'button', label: 'See the payment', url: failed.appUrl + adminPaths.payment(failed.paymentId) },
  ],
});

type FoundPaymentNotice = FoundNotice & {
  intent_id: string;
  payment_id: string;
  user_id: string;
  outcome: 'rebuilt' | 'returned';
  reason: string;
};

/** Reports a payment that was found at the provider. */
export const paymentFoundOperatorEmail = (to: string, found: FoundPaymentNotice): Mail => ({
  to,
  subject: `A payment of ${money(found.amount_minor, found.currency)} was found at the provider`,
  preview: found.outcome === 'rebuilt' ? 'It has been restored.' : 'It is going back to its payer.',
  blocks: [
    {
      kind: 'text',
      text:
        found.outcome === 'rebuilt'
          ? 'This payment was missing from our database. It has been restored and booked, under its old number. What was published or changed with it since the backup is not restored.'
          : 'This payment was missing from our database, and so was what it paid for. It is being refunded in full. You only need to act if that refund fails: npm run audit reports it.',
    },
    {
      kind: 'facts',
      rows: [
        { label: 'Intent', value: found.intent_id },
        { label: 'Payment', value: found.payment_id },
        { label: 'Payer', value: found.user_id },
        { label: 'Why', value: found.reason },
      ],
    },
    ...(found.outcome === 'rebuilt'
      ? [{ kind: 'button' as const, label: 'See the payment', url: found.appUrl + adminPaths.payment(found.payment_id) }]
      : []),
  ],
});

type PaymentNotice = { amount_minor: number; currency: string; paymentId: string; payer: string; appUrl: string };
type DisputeNotice = PaymentNotice & { provider_id: string; reason: string; status: DisputeStatus; due_by: Date | null };

const formatAmount = ({ amount_minor, currency }: PaymentNotice) => money(amount_minor, currency);
const paymentButton = ({ appUrl, paymentId }: PaymentNotice): MailBlock => ({
  kind: 'button',
  label: 'See the payment',
  url: appUrl + adminPaths.payment(paymentId),
});
const toWords = (text: string) => text.replaceAll('_', ' ');

/** What the operator has to do about a dispute or an inquiry, and until when. */
export function disputeOpenedEmail(to: string, dispute: DisputeNotice): Mail {
  const isInquiry = dispute.status.startsWith('warning_');
  const due = dispute.due_by ? formatDate(dispute.due_by, markets.NZ.timeZone) : 'no date set';
  return {
    to,
    subject: `${isInquiry ? 'An inquiry' : 'A dispute'} about ${formatAmount(dispute)} from ${dispute.payer}`,
    preview: `Answer until: ${due}`,
    blocks: [
      {
        kind: 'text',
        text: isInquiry
          ? 'The cardholder’s bank is asking about a payment. Nothing has been taken yet. An answer or a refund can prevent a dispute.'
          : 'The cardholder disputes a payment, and the bank has taken the money back for now. Submit evidence on the provider’s pages, or accept the dispute there. Until it is decided, nothing new can be published under the plan; what is live stays live.',
      },
      {
        kind: 'facts',
        rows: [
          { label: 'Dispute', value: dispute.provider_id },
          { label: 'Reason', value: toWords(dispute.reason) },
          { label: 'State', value: toWords(dispute.status) },
          { label: 'Answer until', value: due },
          { label: 'Payment', value: dispute.paymentId },
        ],
      },
      paymentButton(dispute),
    ],
  };
}

export function disputeClosedEmail(to: string, dispute: DisputeNotice & { owed: number }): Mail {
  const ending =
    {
      won: 'We won it: the money is back with us, and the plan is as it was.',
      lost: 'We lost it: the money is with the cardholder. If it was the whole payment, what it bought has ended.',
    }[dispute.status as string] ?? 'It was closed and nothing was taken.';
  const owed: MailBlock[] =
    dispute.owed > 0
      ? [
          {
            kind: 'text',
            text: `We owe the payer ${money(dispute.owed, dispute.currency)} of this payment, because the plan had already ended.`,
          },
        ]
      : [];
  return {
    to,
    subject: `The dispute about ${formatAmount(dispute)} from ${dispute.payer}: ${toWords(dispute.status)}`,
    preview: ending,
    blocks: [
      { kind: 'text', text: ending },
      ...owed,
      { kind: 'facts', rows: [{ label: 'Dispute', value: dispute.provider_id }] },
      paymentButton(dispute),
    ],
  };
}

/** What to do before the warning becomes a dispute. */
export const fraudWarningEmail = (to: string, warning: PaymentNotice & { fraudType: string; actionable: boolean }): Mail => ({
  to,
  subject: `A fraud warning about ${formatAmount(warning)} from ${warning.payer}`,
  preview: toWords(warning.fraudType),
  blocks: [
    {
      kind: 'text',
      text: warning.actionable
        ? 'The cardholder’s bank says this payment is fraudulent. If it is, refund it now and mark it as fraud: that prevents a dispute and its fee. If you know the payer, leave it.'
        : 'The cardholder’s bank says this payment is fraudulent. It has already been refunded or disputed, so there is nothing to do.',
    },
    {
      kind: 'facts',
      rows: [
        { label: 'Kind', value: toWords(warning.fraudType) },
        { label: 'Payment', value: warning.paymentId },
      ],
    },
    paymentButton(warning),
  ],
});
