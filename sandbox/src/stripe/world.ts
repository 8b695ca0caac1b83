import type Stripe from 'stripe';
import type { Faults } from './calls/faults.ts';
import type { Store } from './state/store.ts';
import type { Delivery } from './webhooks.ts';

/** What the account has set for its payers' statements; null where it has not. */
export type Statement = { prefix: string | null; descriptor: string | null };

/** What goes wrong on demand, with calls, with webhooks and in the settings of the account. */
export type Trouble = { faults: Faults; setDelivery: (delivery: Delivery) => void; statement: Statement };

/** What a call works with. */
export type World = {
  store: Store;
  /** Where this server is reached, without a slash at the end. */
  address: string;
  /** How long what takes its time does: payments that process, refunds that are pending, evidence at the bank. */
  processingMs: number;
  trouble: Trouble;
  /** Makes an event of the object as it is now; it reaches the webhook after the transaction. */
  emit(type: Stripe.Event.Type, object: { id: string }): void;
};
