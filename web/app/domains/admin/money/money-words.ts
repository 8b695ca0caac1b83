import type { DisputeStatus, PaymentLedger } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';

export const purposes = { listing: 'New plan', plan_change: 'Change of plan', reactivation: 'Reactivation', renewal: 'Renewal' } as const;
export const paymentStates = { open: 'Open', succeeded: 'Paid', failed: 'Failed', canceled: 'Never paid' } as const;
export const refundStates = {
  pending: 'Refund in progress',
  succeeded: 'Refunded',
  failed: 'Refund failed',
  canceled: 'Refund cancelled',
} as const;

export const refundSources = {
  nothing_to_buy: 'There was nothing to buy',
  administrator: 'To the card',
  transfer: 'To a bank account',
  provider: 'On the provider’s own pages',
  dispute: 'By the bank',
} as const satisfies Record<PaymentLedger['refunds'][number]['source'], string>;

export const disputeStates = {
  warning_needs_response: 'Inquiry: answer it',
  warning_under_review: 'Inquiry: the bank is looking into it',
  warning_closed: 'Inquiry closed',
  needs_response: 'Open: answer it',
  under_review: 'Open: the bank is deciding',
  won: 'Won',
  lost: 'Lost',
  prevented: 'Prevented',
  appeal_needs_response: 'Appeal: answer it',
  appeal_under_review: 'Appeal: the bank is deciding',
} as const satisfies Record<DisputeStatus, string>;

const open = new Set<DisputeStatus>(['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review']);

/** Whether a dispute pauses the plan; inquiries do not. */
export const isOpen = ({ status }: { status: DisputeStatus }) => open.has(status);

/** The provider's codes for reasons and kinds as text: `product_not_received` becomes "Product not received". */
export const describeCode = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');

/** A payment's labels, and whether each needs attention. */
export function listFlags({ status, owedMinor, boughtMinor, currency, disputes, bought, invoice, refunds }: PaymentLedger) {
  const back = refunds.some((refund) => refund.status === 'pending');
  return [
    { name: paymentStates[status], isBad: false },
    ...(owedMinor > 0 ? [{ name: `${money(owedMinor, currency)} owed`, isBad: true }] : []),
    ...(disputes.some(isOpen) ? [{ name: 'Disputed', isBad: true }] : []),
    ...(bought?.isDisputed && bought.isRunning ? [{ name: 'Plan paused', isBad: true }] : []),
    ...(back ? [{ name: 'Refund in progress', isBad: false }] : []),
    ...(bought?.isReturned ? [{ name: 'Plan ended', isBad: false }] : []),
    ...(isGift({ status, boughtMinor, bought, invoice }) ? [{ name: 'Plan kept as a gift', isBad: false }] : []),
  ];
}

/** Fully refunded, but the plan was kept. */
export const isGift = ({ status, boughtMinor, bought, invoice }: Pick<PaymentLedger, 'status' | 'boughtMinor' | 'bought' | 'invoice'>) =>
  status === 'succeeded' && boughtMinor === 0 && bought === null && invoice !== null;
