import type { Checkout } from '../payments/payments.service.ts';
import { expireListings, warnOfExpiry } from './selling.expiry.ts';

export function sellingJobs(checkout: Checkout) {
  checkout.jobs.every('listings.expire', '* * * * *', () => expireListings(checkout));
  checkout.jobs.every('listings.warn-of-expiry', '*/10 * * * *', () => warnOfExpiry(checkout));
}
