import { formatDate } from '@handwise/contract/dates';
import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import type { Receipt } from '@handwise/contract/payments/calls';
import { brandName } from '@handwise/contract/payments/card-brands';
import { type AdjustmentNote, adjustmentTitles } from '@handwise/contract/payments/refunds';
import { bankDays } from '@handwise/contract/periods';
import { site } from '@handwise/contract/site/site';
import { formatGreeting, type Mail, type MailBlock } from '../../kit/mail/mail.ts';

/** The tax invoice, with what both countries require. `nextChargeAt`: it is for a renewal. */
export const receiptEmail = (receipt: Receipt, appUrl: string, nextChargeAt?: Date): Mail => ({
  to: receipt.customer.email,
  subject: nextChargeAt ? `Your plan is renewed: ${site.name} receipt ${receipt.number}` : `Your ${site.name} receipt ${receipt.number}`,
  preview: `${money(receipt.totalMinor, receipt.currency)} for ${receipt.description}`,
  greeting: formatGreeting(receipt.customer.name),
  blocks: [
    { kind: 'text', text: 'Thank you. We have received your payment, and this is your tax invoice.' },
    ...(nextChargeAt && receipt.periodEndsAt
      ? [
          {
            kind: 'text' as const,
            text: `Your plan and its listings now run until ${formatDate(receipt.periodEndsAt, receipt.timeZone)}. The next renewal is charged on ${formatDate(nextChargeAt, receipt.timeZone)}; until then you can switch it off in My Listings.`,
          },
        ]
      : []),
    { kind: 'heading', text: `Tax invoice ${receipt.number}` },
    {
      kind: 'facts',
      rows: [
        { label: 'Date', value: formatDate(receipt.issuedAt, receipt.timeZone) },
        { label: 'For', value: receipt.description },
        ...(receipt.periodStartsAt && receipt.periodEndsAt
          ? [
              {
                label: 'Period',
                value: `${formatDate(receipt.periodStartsAt, receipt.timeZone)} to ${formatDate(receipt.periodEndsAt, receipt.timeZone)}`,
              },
            ]
          : []),
        ...(receipt.card ? [{ label: 'Card', value: `${brandName(receipt.card.brand)} ending in ${receipt.card.last4}` }] : []),
        { label: `GST included (${receipt.gstPercent} %)`, value: money(receipt.gstMinor, receipt.currency) },
        { label: 'Total', value: money(receipt.totalMinor, receipt.currency), strong: true },
      ],
    },
    {
      kind: 'facts',
      rows: [
        { label: 'From', value: `${receipt.supplier.name}, ${receipt.supplier.address}` },
        { label: receipt.country === 'NZ' ? 'GST number' : 'ABN', value: receipt.supplier.taxNumber },
        { label: 'To', value: `${receipt.customer.name}, ${receipt.customer.email}` },
      ],
    },
    { kind: 'button', label: 'See and download the receipt', url: appUrl + paths.receipt(receipt._id) },
    ...(nextChargeAt ? [howToStopLink(appUrl)] : []),
  ],
});

export const howToStopLink = (appUrl: string): MailBlock => ({
  kind: 'links',
  rows: [{ label: 'How to stop', url: appUrl + paths.howToStop, text: 'how a renewal ends, and what happens to your listings' }],
});

type ForgottenCards = { to: string; name: string; cards: readonly { brand: string; last4: string }[]; appUrl: string };

/** The provider has lost the user's cards, which must be saved again. */
export function cardsForgottenEmail({ to, name, cards, appUrl }: ForgottenCards): Mail {
  const which = cards.map(({ brand, last4 }) => `${brandName(brand)} ending in ${last4}`).join(', ');
  const [they, have] = cards.length === 1 ? ['card', 'has'] : ['cards', 'have'];
  return {
    to,
    subject: `Please save your ${they} again`,
    preview: `${which} ${have} been removed from your account. Nothing was charged.`,
    greeting: formatGreeting(name),
    blocks: [
      {
        kind: 'text',
        text: `Our payment service no longer holds the ${they} that you saved with us (${which}), so we have removed its details here too. Nothing was charged, and your plan and your listings stay as they are.`,
      },
      { kind: 'text', text: 'When you next pay, enter your card as you did the first time. You can also save one now.' },
      { kind: 'button', label: 'Save a card', url: appUrl + paths.cards },
    ],
  };
}

export type RefundNotice = {
  to: string;
  name: string;
  amountMinor: number;
  paidMinor: number;
  currency: string;
  reason: string;
  source: string;
  appUrl: string;
};

/** What an adjustment note must say in both countries. */
const noteBlocks = (note: AdjustmentNote): MailBlock[] => [
  { kind: 'heading', text: `${adjustmentTitles[note.country]} ${note.number}` },
  {
    kind: 'facts',
    rows: [
      { label: 'Date', value: formatDate(note.issuedAt, note.timeZone) },
      { label: 'Corrects tax invoice', value: `${note.receiptNumber} of ${formatDate(note.receiptIssuedAt, note.timeZone)}` },
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

/** Sent once the provider confirms a refund, with the adjustment note if there is a tax invoice to correct. */
export function refundEmail(notice: RefundNotice, note: AdjustmentNote | undefined): Mail {
  const amount = money(notice.amountMinor, notice.currency);
  const isWhole = notice.amountMinor === notice.paidMinor;
  const isToCard = notice.source !== 'transfer' && notice.source !== 'dispute';
  const way = isToCard ? 'to your card' : 'to you';
  const what = isWhole
    ? `We have refunded your payment of ${amount} in full.`
    : `We have refunded ${amount} of your payment of ${money(notice.paidMinor, notice.currency)}.`;
  return {
    to: notice.to,
    subject: isWhole ? `Your payment of ${amount} is going back ${way}` : `${amount} of your payment is going back ${way}`,
    preview: notice.reason,
    greeting: formatGreeting(notice.name),
    blocks: [
      { kind: 'text', text: `${what} ${notice.reason}` },
      ...(isToCard ? [{ kind: 'text' as const, text: `Banks usually show it within ${bankDays}. You don’t need to do anything.` }] : []),
      ...(note ? noteBlocks(note) : []),
      note
        ? { kind: 'button', label: 'See my refunds and invoices', url: notice.appUrl + paths.receipts }
        : { kind: 'button', label: 'See my listings', url: notice.appUrl + paths.ownListings },
    ],
  };
}

/** Sent when a refund did not arrive; the payer has nothing to do yet. */
export function refundFailedEmail(notice: RefundNotice): Mail {
  const amount = money(notice.amountMinor, notice.currency);
  return {
    to: notice.to,
    subject: `Your bank did not accept our refund of ${amount}`,
    preview: 'We still owe you this money.',
    greeting: formatGreeting(notice.name),
    blocks: [
      { kind: 'text', text: `We have sent ${amount} back to your card, but your bank did not accept it. We still owe you this money.` },
      { kind: 'text', text: 'We will write to you about another way to pay it. If your card has been replaced, please reply and tell us.' },
      { kind: 'button', label: 'See my refunds', url: notice.appUrl + paths.receipts },
    ],
  };
}

export type FoundNotice = { amount_minor: number; currency: string; appUrl: string };
type FoundPayer = FoundNotice & { to: string; name: string };

/** Sent when a lost payment was restored; listings published with it may be missing. */
export function paymentRebuiltEmail({ to, name, amount_minor, currency, appUrl }: FoundPayer): Mail {
  const amount = money(amount_minor, currency);
  return {
    to,
    subject: `Your payment of ${amount} counts again`,
    preview: 'Your plan has been restored. Please check your listings.',
    greeting: formatGreeting(name),
    blocks: [
      {
        kind: 'text',
        text: `A fault on our side lost our record of your payment of ${amount}. We have found it with our payment service and restored your plan, which now runs from today. You were not charged again.`,
      },
      {
        kind: 'text',
        text: 'If you published or changed a listing at about the same time, please check it. If it is missing, publish it again: there is nothing more to pay. You can throw away any earlier receipt for this payment, as the new one replaces it.',
      },
      { kind: 'button', label: 'See my listings', url: appUrl + paths.ownListings },
    ],
  };
}

/** Sent when a lost payment is refunded because its account no longer exists. */
export function paymentReturnedEmail({ to, name, amount_minor, currency, appUrl }: FoundPayer): Mail {
  const amount = money(amount_minor, currency);
  return {
    to,
    subject: `Your payment of ${amount} is going back to your card`,
    preview: 'A fault on our side lost what you paid for.',
    greeting: formatGreeting(name),
    blocks: [
      {
        kind: 'text',
        text: `A fault on our side lost what you paid ${amount} for, and possibly your account with ${site.name} too. We are sorry. We are refunding the whole amount to your card; banks usually show it within ${bankDays}.`,
      },
      { kind: 'text', text: 'If you can no longer sign in, please sign up again with the same email address.' },
      { kind: 'button', label: `Go to ${site.name}`, url: appUrl },
    ],
  };
}

/** Sent to the payer while the bank decides. */
export const disputePausedEmail = (
  reader: { to: string; name: string; appUrl: string },
  dispute: { amount_minor: number; currency: string },
): Mail => ({
  to: reader.to,
  subject: `Your bank is looking at your payment of ${money(dispute.amount_minor, dispute.currency)}`,
  preview: 'Your listings stay as they are for now.',
  greeting: formatGreeting(reader.name),
  blocks: [
    {
      kind: 'text',
      text: `Your bank tells us that your payment of ${money(dispute.amount_minor, dispute.currency)} is disputed. Until it has decided, your listings stay as they are, and nothing new can be published under this plan.`,
    },
    { kind: 'text', text: 'If you did not mean to dispute it, please tell your bank, and reply to this email.' },
    { kind: 'button', label: 'See my listings', url: reader.appUrl + paths.ownListings },
  ],
});
