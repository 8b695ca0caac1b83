/**
 * The life of a payment. Money that arrives late still counts, so a payment that was given up can succeed. The database
 * holds the same table (migration 005).
 */
export const paymentTransitions = {
  open: ['succeeded', 'failed', 'canceled'],
  failed: ['succeeded'],
  canceled: ['succeeded'],
  succeeded: [],
} as const;

export type PaymentStatus = keyof typeof paymentTransitions;
