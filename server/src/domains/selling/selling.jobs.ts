import type { Context } from '../../kit/context.ts';
import { expireListings, warnOfExpiry } from './selling.expiry.ts';

export function sellingJobs(context: Context) {
  context.jobs.every('listings.expire', '* * * * *', () => expireListings(context));
  context.jobs.every('listings.warn-of-expiry', '*/10 * * * *', () => warnOfExpiry(context));
}
