import type { DisputeStatus } from '@handwise/contract/admin-payments';
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
  url: `${appUrl}${paths.adminPayments}?q=${paymentId}`,
});
const words = (text: string) => text.replaceAll('_', ' ');

/** A cardholder disputes a payment, or asks about it: what the operator is to do, and until when. */
export function openedMail(to: string, dispute: Dispute): Mail {
  const isInquiry = dispute.status.startsWith('warning_');
  const due = dispute.due_by ? dateText(dispute.due_by, markets.NZ.timeZone) : 'not said';
  return {
    to,
    subject: `${isInquiry ? 'An inquiry' : 'A dispute'} about ${sumOf(dispute)} of ${dispute.payer}`,
    preview: `Answer until: ${due}`,
    blocks: [
      {
        kind: 'text',
        text: isInquiry
          ? 'The cardholder’s bank asks about a payment. Nothing was taken yet. An answer, or a refund, can keep a dispute away.'
          : 'The cardholder disputes a payment, and the bank has taken the money back for now. Hand in evidence in the provider’s pages, or accept it there. The plan’s free slots publish nothing until it is decided; what runs keeps running.',
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
      won: 'It was won: the money is with us, and the plan is as before.',
      lost: 'It was lost: the money is with the cardholder, and what all of it had bought has ended.',
    }[dispute.status as string] ?? 'It was closed, and nothing was taken.';
  const owed: MailBlock[] =
    dispute.owed > 0
      ? [
          {
            kind: 'text',
            text: `Of this payment ${money(dispute.owed, dispute.currency)} are owed to the payer: the plan had ended already.`,
          },
        ]
      : [];
  return {
    to,
    subject: `The dispute about ${sumOf(dispute)} of ${dispute.payer}: ${words(dispute.status)}`,
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
  preview: 'What runs keeps running.',
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
  subject: `A warning of fraud about ${sumOf(warning)} of ${warning.payer}`,
  preview: words(warning.fraudType),
  blocks: [
    {
      kind: 'text',
      text: warning.actionable
        ? 'The cardholder’s bank calls this payment fraud. If it is, refund it now, as fraud: that keeps a dispute and its fee away. If you know the payer, leave it.'
        : 'The cardholder’s bank calls this payment fraud. It is refunded or disputed already: there is nothing to be done.',
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
