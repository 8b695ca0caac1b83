import { brandName } from '@handwise/contract/payments/card-brands';
import { dateText } from '@handwise/contract/dates';
import type { Receipt } from '@handwise/contract/payments/calls';
import { money } from '@handwise/contract/money';
import type { Sheet } from './sheet-pdf.ts';

/** What stands on a tax invoice. */
export function receiptSheet(receipt: Receipt): Sheet {
  const day = (iso: string) => dateText(iso, receipt.timeZone);
  const price = (minor: number) => money(minor, receipt.currency);
  const { card, periodStartsAt, periodEndsAt, refundedAt, refundedMinor, totalMinor, gstMinor } = receipt;
  const paid = card ? `Paid by ${brandName(card.brand)} card ending in ${card.last4}` : 'Paid by card';
  const back = refundedAt ? 'Refunded in full.' : `${price(refundedMinor)} refunded.`;
  return {
    ...receipt,
    title: 'Tax invoice',
    facts: [
      ['Invoice number', receipt.number],
      ['Date of issue', day(receipt.issuedAt)],
    ],
    remark: refundedAt ? `Refunded on ${day(refundedAt)}` : null,
    lines: [
      {
        text: receipt.description,
        detail: periodStartsAt && periodEndsAt ? `${day(periodStartsAt)} to ${day(periodEndsAt)}` : null,
        amount: price(totalMinor),
      },
    ],
    sums: [
      ['Subtotal without GST', price(totalMinor - gstMinor)],
      [`GST (${receipt.gstPercent} %)`, price(gstMinor)],
      ['Total, GST included', price(totalMinor)],
    ],
    notes: refundedMinor > 0 ? [paid, back] : [paid],
  };
}
