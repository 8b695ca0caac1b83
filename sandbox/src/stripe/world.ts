import type Stripe from 'stripe';
import type { Store } from './store.ts';

/** The account's setting for its payers' statements; null if not set. */
export type Statement = { prefix: string | null; descriptor: string | null };

export type World = {
  store: Store;
  /** This server's address, without a slash at the end. */
  address: string;
  /** Milliseconds that a processing payment or a pending refund takes. */
  processingMs: number;
  statement: Statement;
  /** Records an event with the object's current state, which is delivered after the transaction. */
  emit(type: Stripe.Event.Type, object: { id: string }): void;
};
