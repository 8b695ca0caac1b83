import { paths } from '../paths.ts';

/** What was paid or saved when the bank opened its own page. */
export const paymentReturns = ['listing', 'plan_change', 'reactivation', 'renewal', 'card'] as const;
export type PaymentReturn = (typeof paymentReturns)[number];

/** The URL that the bank's page returns to. It only selects the next page; the result is read from the server. */
export const paymentReturnTo = (purpose: PaymentReturn, listingId?: string) =>
  `${paths.paymentReturn}?${new URLSearchParams({ for: purpose, ...(listingId !== undefined && { listing: listingId }) }).toString()}`;
