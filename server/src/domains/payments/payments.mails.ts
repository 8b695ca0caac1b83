import { paths } from '@handwise/contract/paths';
import { brandName } from '@handwise/contract/payments/card-brands';
import { dateText } from '@handwise/contract/dates';
import type { Receipt } from '@handwise/contract/payments/calls';
import { siteName } from '@handwise/contract/site/name';
import { greetingOf } from '../../kit/mail/mail-words.ts';
import type { Mail } from '../../kit/mail/mail.ts';
import { money } from '@handwise/contract/money';

/** The tax invoice as a mail, with what both countries ask for. */
export const receiptMail = (receipt: Receipt, appUrl: string): Mail => ({
  to: receipt.customer.email,
  subject: `Your ${siteName} receipt ${receipt.number}`,
  preview: `${money(receipt.totalMinor, receipt.currency)} for ${receipt.description}`,
  greeting: greetingOf(receipt.customer.name),
  blocks: [
    { kind: 'text', text: 'Thank you. We have received your payment, and this is your tax invoice.' },
    { kind: 'heading', text: `Tax invoice ${receipt.number}` },
    {
      kind: 'facts',
      rows: [
        { label: 'Date', value: dateText(receipt.issuedAt, receipt.timeZone) },
        { label: 'For', value: receipt.description },
        ...(receipt.periodStartsAt && receipt.periodEndsAt
          ? [
              {
                label: 'Period',
                value: `${dateText(receipt.periodStartsAt, receipt.timeZone)} to ${dateText(receipt.periodEndsAt, receipt.timeZone)}`,
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
  ],
});
