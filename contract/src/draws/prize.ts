import { site } from '@handwise/contract/site/site';
import { siteTimeZone } from '../dates.ts';
import { count } from '../numbers.ts';

// No schemas, so that public pages can import it without zod.

/** "$1,000" */
export const formatPrizeDollars = (dollars: number) => `$${count(dollars)}`;
/** The prize of the draw that runs, as it was announced. */
export const prizeText = () => formatPrizeDollars(Number(site.drawPrize));
export const prizeCurrencies = ['NZD', 'AUD'] as const;
export type PrizeCurrency = (typeof prizeCurrencies)[number];

/** The time zone of the draw in both countries. */
export const drawTimeZone = siteTimeZone;
/** Entries close at this time on the last day of the month, in `drawTimeZone`. */
export const closingClock = '23:30';
export const closingText = '11:30 pm';

/** The winner's time to claim; reminders are sent on `reminderDays` after the award. */
export const claimDays = 30;
export const reminderDays = [7, 25] as const;
/** Business days from claim to payment. */
export const payoutDays = { from: 3, to: 5 } as const;
/** Bank details are erased this long after payment. */
export const bankDetailsRetentionDays = 90;

/** Tickets for each of the two people at sign-up, and for the code's owner at the first live listing. */
export const referralTickets = { signup: 1, listing: 5 } as const;
