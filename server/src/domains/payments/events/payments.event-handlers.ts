import { hearOfCard, hearOfSetup } from '../cards/payments.heard-cards.ts';
import { hearOfCustomer } from '../customers/payments.customers.ts';
import { hearOfDispute, hearOfWarning } from '../disputes/payments.disputes.hear.ts';
import { hearOfIntent } from '../intents/payments.settle.ts';
import type { Parts } from '../payments.parts.ts';
import { hearOfCharge, hearOfRefund } from '../refunds/payments.refunds.hear.ts';
import type { EventRow } from './payments.event-queries.ts';

/**
 * What is done about an event. What it says may be old by now, or come twice: a handler asks the provider how things stand, and must
 * bear to be called again.
 */
export type EventHandler = (parts: Parts, event: EventRow & { object_id: string }) => Promise<void>;

const hearOf =
  (hear: (parts: Parts, id: string) => Promise<unknown>): EventHandler =>
  async (parts, event) => {
    await hear(parts, event.object_id);
  };

const settleIntent = hearOf(hearOfIntent);
const bookRefund = hearOf(hearOfRefund);
const bookDispute = hearOf(hearOfDispute);
const keepWarning = hearOf(hearOfWarning);
const lookAtCard = hearOf(hearOfCard);
const lookAtCustomer = hearOf(hearOfCustomer);
const keepSetUpCard = hearOf(hearOfSetup);

/** The events that mean something to us, by their types. The provider is to send these. */
export const eventHandlers: Readonly<Record<string, EventHandler>> = {
  'payment_intent.succeeded': settleIntent,
  'payment_intent.processing': settleIntent,
  'payment_intent.payment_failed': settleIntent,
  'payment_intent.canceled': settleIntent,
  'setup_intent.succeeded': keepSetUpCard,
  'payment_method.updated': lookAtCard,
  'payment_method.automatically_updated': lookAtCard,
  'payment_method.detached': lookAtCard,
  'customer.deleted': lookAtCustomer,
  'refund.created': bookRefund,
  'refund.updated': bookRefund,
  'refund.failed': bookRefund,
  'charge.refund.updated': bookRefund,
  'charge.refunded': hearOf(hearOfCharge),
  'charge.dispute.created': bookDispute,
  'charge.dispute.updated': bookDispute,
  'charge.dispute.closed': bookDispute,
  'charge.dispute.funds_withdrawn': bookDispute,
  'charge.dispute.funds_reinstated': bookDispute,
  'radar.early_fraud_warning.created': keepWarning,
  'radar.early_fraud_warning.updated': keepWarning,
};
