import { type Ending, endDispute, escalateInquiry, openDispute } from './money/disputes.ts';
import { settleDue } from './due.ts';
import { refused } from './calls/errors.ts';
import { warn } from './money/fraud-warnings.ts';
import type { Charge, PaymentMethod } from './state/objects.ts';
import { renewCard } from './cards/payment-methods.ts';
import { moveRefund, type RefundStatus } from './money/refunds.ts';
import type { World } from './world.ts';

export type Control = ReturnType<typeof openControl>;

/**
 * What happens at the provider without a call of the product's: what banks do, and what time does. Whatever a person does there by hand
 * (refunds, customers deleted, cards detached) is a call of the API with the provider's own client.
 */
export function openControl(inWorld: <T>(work: (world: World) => T) => T) {
  /** The charge of a payment that succeeded, by the payment's id. */
  function paidCharge({ store }: World, intentId: string): Charge {
    const { latest_charge, status } = store.find('payment_intent', intentId);
    if (status !== 'succeeded' || latest_charge === null) throw refused(`${intentId} is ${status}: nothing was paid.`);
    return store.find('charge', latest_charge);
  }

  return {
    /** Ends at once whatever takes its time: payments that process, refunds that are pending, evidence at the bank. */
    settle: () => inWorld((world) => settleDue(world, Infinity)),

    moveRefund: (refundId: string, status: RefundStatus, failureReason?: string) =>
      inWorld((world) => moveRefund(world, refundId, status, failureReason)),

    /** The whole of what is left of the charge unless an amount is given; as fraud, by default. */
    openDispute: (intentId: string, opening?: { amount?: number; reason?: string; inquiry?: boolean }) =>
      inWorld((world) => openDispute(world, paidCharge(world, intentId), opening)),
    escalateInquiry: (disputeId: string) => inWorld((world) => escalateInquiry(world, disputeId)),
    endDispute: (disputeId: string, ending: Ending) => inWorld((world) => endDispute(world, disputeId, ending)),

    warn: (intentId: string, fraudType?: string) => inWorld((world) => warn(world, paidCharge(world, intentId), fraudType)),

    /** What the card networks tell of a new card. */
    renewCard: (methodId: string, renewed: Partial<Pick<PaymentMethod['card'], 'exp_month' | 'exp_year' | 'last4'>>) =>
      inWorld((world) => renewCard(world, methodId, renewed)),
  };
}
