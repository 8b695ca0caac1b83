import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';
import { counted } from '@handwise/contract/numbers';
import { bankDays } from '@handwise/contract/periods';
import { isOpen } from './money-words.ts';

export type HowMuch = 'owed' | 'all' | 'part';
export type RefundChoice = { amountMinor: number; keep: boolean; fraud: boolean; transferred: boolean };

/** The amount that can still be refunded. */
export const getRefundableCents = ({ boughtMinor, owedMinor }: Pick<PaymentLedger, 'boughtMinor' | 'owedMinor'>) => boughtMinor + owedMinor;

/** Parses typed dollars into cents: "1,234.5" is 123450. Undefined for anything else. */
export function parseCents(text: string): number | undefined {
  const typed = text.trim().replace(/^\$/, '').replaceAll(',', '');
  return /^\d{1,7}(?:\.\d{1,2})?$/.test(typed) ? Math.round(Number(typed) * 100) : undefined;
}

/** Whether the refund takes all that was paid for the plan; money owed is refunded first. */
export const takesAll = ({ boughtMinor, owedMinor }: Pick<PaymentLedger, 'boughtMinor' | 'owedMinor'>, amountMinor: number) =>
  boughtMinor > 0 && amountMinor >= boughtMinor + owedMinor;

/** While a bank decides, the provider sends nothing to the card. */
export const mustTransfer = ({ disputes }: Pick<PaymentLedger, 'disputes'>) => disputes.some(isOpen);

/** A refund's consequences in sentences: money, plan, credit note, others' rewards, and emails. */
export function listConsequences(ledger: PaymentLedger, choice: RefundChoice): string[] {
  const { currency, payer } = ledger;
  const sum = money(choice.amountMinor, currency);
  return [
    choice.transferred
      ? `${sum} will be booked as paid to a bank account. Nothing is sent from here: make the transfer first.`
      : `${sum} will be refunded to the card. Banks usually show it within ${bankDays}.`,
    ...planAfter(ledger, choice),
    ...(correctsInvoice(ledger, choice.amountMinor) && ledger.invoice
      ? [`Once the money has arrived, an adjustment note will correct tax invoice ${ledger.invoice.number}.`]
      : []),
    ...(choice.fraud ? ['Tickets that others got for the payer’s listing become void if their draw is still open.'] : []),
    `${payer.name} gets an email with your reason, and the audit log records it with your name.`,
  ];
}

function planAfter(ledger: PaymentLedger, { amountMinor, keep }: RefundChoice): string[] {
  const { bought, boughtMinor, owedMinor, currency, planName } = ledger;
  if (!bought || boughtMinor === 0) return [];
  if (!takesAll(ledger, amountMinor)) {
    return [`The ${planName} plan stays: ${money(boughtMinor - Math.max(0, amountMinor - owedMinor), currency)} of it is still paid.`];
  }
  if (keep) return [`The ${planName} plan stays, as a gift.`];
  if (bought.isReplaced) return ['Another plan has replaced this one, so nothing ends.'];
  if (!bought.isRunning) return [`The ${planName} plan has already ended, so nothing else ends.`];
  const live = bought.listings.filter(({ status }) => status === 'active').length;
  return [
    `The ${planName} plan ends at once${live > 0 ? `, and ${counted(live, 'active listing')} of it ${live === 1 ? 'goes' : 'go'} off` : ''}.`,
  ];
}

// A failed refund's credit note stays: sending the money again issues no second one.
function correctsInvoice({ notes, refunds }: PaymentLedger, amountMinor: number): boolean {
  const noted = notes.reduce((sum, note) => sum + note.totalMinor, 0);
  const refunded = refunds.reduce((sum, { status, amountMinor: minor }) => sum + (status === 'succeeded' ? minor : 0), 0);
  return refunded + amountMinor > noted;
}
