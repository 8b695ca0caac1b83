import { paths } from '../paths.ts';

/** What was being paid, or saved, when a bank asked on a page of its own. */
export const paymentReturns = ['listing', 'plan_change', 'reactivation', 'card'] as const;
export type PaymentReturn = (typeof paymentReturns)[number];

/** Where that page leads back to. It only says how one goes on: what became of the payment is asked of the server. */
export const paymentReturnTo = (purpose: PaymentReturn, listingId?: string) =>
  `${paths.paymentReturn}?${new URLSearchParams({ for: purpose, ...(listingId !== undefined && { listing: listingId }) }).toString()}`;
