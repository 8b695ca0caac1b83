import { bankDays } from '../periods.ts';
import type { OwnRefund } from './refunds.ts';

const arrived = {
  card: `On your card. Banks usually show it within ${bankDays}.`,
  transfer: 'Paid into your bank account.',
  bank: 'Your bank has given it back to you.',
} as const;

/** The state of a refund as its payer reads it. */
export function describeRefund({ status, isOwed, by }: Pick<OwnRefund, 'status' | 'isOwed' | 'by'>): string {
  if (status === 'succeeded') return arrived[by];
  if (status === 'pending') return 'On its way. Your bank has not confirmed it yet; you don’t need to do anything.';
  return isOwed
    ? 'Your bank did not accept it. We still owe you this money and will write to you about another way.'
    : 'Your bank did not accept it. We sent it another way.';
}

/** The provider's failure reason as people read it. */
export function describeRefundFailure(reason: string): string {
  const known: Record<string, string> = {
    lost_or_stolen_card: 'The card was lost or stolen.',
    expired_or_canceled_card: 'The card has expired or was cancelled.',
    insufficient_funds: 'There was not enough money in our account with the provider.',
    declined: 'The bank declined it.',
    merchant_request: 'It was cancelled on the provider’s pages.',
    charge_for_pending_refund_disputed: 'The payment is disputed at the bank.',
    went_back_otherwise: 'The money went back another way.',
  };
  return known[reason] ?? 'The bank did not say why.';
}
