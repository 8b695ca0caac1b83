import type Stripe from 'stripe';
import type { Store } from './store.ts';

/** What a call works with. */
export type World = {
  store: Store;
  /** Where this server is reached, without a slash at the end. */
  address: string;
  /** How long a payment with the slow test card is `processing`. */
  processingMs: number;
  /** Makes an event of the object as it is now; it reaches the webhook after the transaction. */
  emit(type: Stripe.Event.Type, object: { id: string }): void;
};
