import { count } from '../numbers.ts';

// What can be won each month and how it is paid, and what brings tickets for it. Without schemas: public pages say it.

export const prizeDollars = 1_000;
/** "$1,000" */
export const prizeText = `$${count(prizeDollars)}`;
export const prizeCurrencies = ['NZD', 'AUD'] as const;
export type PrizeCurrency = (typeof prizeCurrencies)[number];

/** A month's entries close at this time of its last day, by the clocks of `siteTimeZone`. */
export const closingClock = '23:30';
/** The same, as people are told it. */
export const closingText = '11:30 pm';

/** A winner has so long to say where the prize goes; on these days after being told they are reminded. */
export const claimDays = 30;
export const reminderDays = [7, 25] as const;
/** How many business days it takes to pay the prize once it is claimed. */
export const payoutDays = { from: 3, to: 5 } as const;
/** Bank details are erased so long after the prize was paid. */
export const keptAfterPaymentDays = 90;

/** What a referral is worth: to each of the two when somebody signs up with a code, and to its owner when their first listing is live. */
export const ticketsOf = { signup: 1, listing: 5 } as const;
