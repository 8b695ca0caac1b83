import { hearOfCard, hearOfSetup } from '../cards/payments.heard-cards.ts';
import { hearOfCustomer } from '../customers/payments.customers.ts';
import { hearOfIntent } from '../intents/payments.settle.ts';
import type { Parts } from '../payments.parts.ts';
import type { EventRow } from './payments.event-queries.ts';

/**
 * What is done about an event. What it says may be old by now, or come twice: a handler asks the provider how things stand, and must
 * bear to be called again.
 */
export type EventHandler = (parts: Parts, event: EventRow & { object_id: string }) => Promise<void>;

const settleIntent: EventHandler = (parts, event) => hearOfIntent(parts, event.object_id);
const lookAtCard: EventHandler = (parts, event) => hearOfCard(parts, event.object_id);
const lookAtCustomer: EventHandler = (parts, event) => hearOfCustomer(parts, event.object_id);
const keepSetUpCard: EventHandler = (parts, event) => hearOfSetup(parts, event.object_id);

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
};
