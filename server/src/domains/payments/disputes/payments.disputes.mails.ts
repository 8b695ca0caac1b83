import type { DisputeStatus } from '@handwise/contract/admin/payments';
import { dateText } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { paths } from '@handwise/contract/paths';
import { greetingOf } from '../../../kit/mail/mail-words.ts';
import type { Mail, MailBlock } from '../../../kit/mail/mail.ts';
import { money } from '@handwise/contract/money';

type Told = { amount_minor: number; currency: string; paymentId: string; payer: string; appUrl: string };
type Dispute = Told & { provider_id: string; reason: string; status: DisputeStatus; due_by: Date | null };

const sumOf = ({ amount_minor, currency }: Told) => money(amount_minor, currency);
const button = ({ appUrl, paymentId }: Told): MailBlock => ({
  kind: 'button',
  label: 'See the payment',
  url: appUrl + paths.adminPayment(paymentId),
});
const words = (text: string) => text.replaceAll('_', ' ');

/** A cardholder disputes a payment, or asks about it: what the operator is to do, and until when. */
export function openedMail(to: string, dispute: Dispute): Mail {
  const isInquiry = dispute.status.startsWith('warning_');
  const due = dispute.due_by ? dateText(dispute.due_by, markets.NZ.timeZone) : 'no date set';
  return {
    to,
    subject: `${isInquiry ? 'An inquiry' : 'A dispute'} about ${sumOf(dispute)} from ${dispute.payer}`,
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
          { label: 'Reason', value: words(dispute.reason) },
          { label: 'State', value: words(dispute.status) },
          { label: 'Answer until', value: due },
          { label: 'Payment', value: dispute.paymentId },
        ],
      },
      button(dispute),
    ],
  };
}

/** How a dispute has ended, and what is still to be done. */
export function closedMail(to: string, dispute: Dispute & { owed: number }): Mail {
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
    subject: `The dispute about ${sumOf(dispute)} from ${dispute.payer}: ${words(dispute.status)}`,
    preview: ending,
    blocks: [
      { kind: 'text', text: ending },
      ...owed,
      { kind: 'facts', rows: [{ label: 'Dispute', value: dispute.provider_id }] },
      button(dispute),
    ],
  };
}

/** What a dispute means for its payer, until the bank has decided. */
export const pausedMail = (reader: { to: string; name: string; appUrl: string }, dispute: Dispute): Mail => ({
  to: reader.to,
  subject: `Your bank is looking at your payment of ${sumOf(dispute)}`,
  preview: 'Your listings stay as they are for now.',
  greeting: greetingOf(reader.name),
  blocks: [
    {
      kind: 'text',
      text: `Your bank tells us that your payment of ${sumOf(dispute)} is disputed. Until it has decided, your listings stay as they are, and nothing new can be published under this plan.`,
    },
    { kind: 'text', text: 'If you did not mean to dispute it, please tell your bank, and reply to this email.' },
    { kind: 'button', label: 'See my listings', url: reader.appUrl + paths.ownListings },
  ],
});

/** A warning that a payment is fraud, with what to do before it becomes a dispute. */
export const warningMail = (to: string, warning: Told & { fraudType: string; actionable: boolean }): Mail => ({
  to,
  subject: `A fraud warning about ${sumOf(warning)} from ${warning.payer}`,
  preview: words(warning.fraudType),
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
        { label: 'Kind', value: words(warning.fraudType) },
        { label: 'Payment', value: warning.paymentId },
      ],
    },
    button(warning),
  ],
});
