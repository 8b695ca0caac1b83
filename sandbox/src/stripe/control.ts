import { warn } from './charges.ts';
import { endDispute, type Ending, escalateInquiry, openDispute } from './disputes.ts';
import { rejection } from './errors.ts';
import type { Charge, PaymentMethod } from './objects.ts';
import { settlePayment } from './payment-intents.ts';
import { renewCard } from './payment-methods.ts';
import { moveRefund, type RefundStatus, settleRefund } from './refunds.ts';
import type { World } from './world.ts';

/** Simulates banks and time at the provider. Manual work there (refunds, deleted customers, detached cards) is a call of the API. */
export function openControl(inWorld: <T>(work: (world: World) => T) => T) {
  /** The charge of a payment that succeeded, by the payment's id. */
  function paidCharge({ store }: World, intentId: string): Charge {
    const { latest_charge, status } = store.find('payment_intent', intentId);
    if (status !== 'succeeded' || latest_charge === null) throw rejection(`${intentId} is ${status}: nothing was paid.`);
    return store.find('charge', latest_charge);
  }

  return {
    /** Settles processing payments and pending refunds at once. */
    settle: () => inWorld((world) => settleDue(world, Infinity)),

    moveRefund: (refundId: string, status: RefundStatus, failureReason?: string) =>
      inWorld((world) => moveRefund(world, refundId, status, failureReason)),

    /** Disputes the rest of the charge as fraud, unless an amount and a reason are passed. */
    openDispute: (intentId: string, opening?: { amount?: number; reason?: string; inquiry?: boolean }) =>
      inWorld((world) => openDispute(world, paidCharge(world, intentId), opening)),
    escalateInquiry: (disputeId: string) => inWorld((world) => escalateInquiry(world, disputeId)),
    endDispute: (disputeId: string, ending: Ending) => inWorld((world) => endDispute(world, disputeId, ending)),

    warn: (intentId: string, fraudType?: string) => inWorld((world) => warn(world, paidCharge(world, intentId), fraudType)),

    /** The card networks report a new card. */
    renewCard: (methodId: string, renewed: Partial<Pick<PaymentMethod['card'], 'exp_month' | 'exp_year' | 'last4'>>) =>
      inWorld((world) => renewCard(world, methodId, renewed)),
  };
}

/** Settles the processing payments and pending refunds that are due. */
export function settleDue(world: World, upTo = Date.now()) {
  for (const id of world.store.due(upTo)) {
    if (id.startsWith('pi_')) settlePayment(world, id);
    if (id.startsWith('re_')) settleRefund(world, id);
  }
}
