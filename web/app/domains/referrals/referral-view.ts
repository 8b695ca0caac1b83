import { formatDate, monthName } from '@handwise/contract/dates';
import type { Referral } from '@handwise/contract/referrals/calls';
import type { DrawEntry, EntrySource } from '@handwise/contract/tickets/calls';

/** A state's colour; its word is shown too. */
export type Tone = 'waits' | 'counts' | 'none';

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** The state of a referral: pending yellow, converted green, anything else grey. */
export const referralState = (status: string): { name: string; tone: Tone } => ({
  name: capital(status),
  tone: status === 'pending' ? 'waits' : status === 'converted' ? 'counts' : 'none',
});

/** The state of an entry: active green, anything else grey. */
export const entryState = ({ status }: Pick<DrawEntry, 'status'>): { name: string; tone: Tone } => ({
  name: capital(status),
  tone: status === 'active' ? 'counts' : 'none',
});

const rewards = new Map([
  ['free_month', 'Free Month'],
  ['draw_entries', 'Draw Entries'],
]);

/** What a referral earned; unknown kinds are shown as they are. */
export const formatReward = (rewardType: string | null): string =>
  rewardType === null ? 'Pending' : (rewards.get(rewardType) ?? rewardType);

/** Whether its tickets can still be swapped for a free month. */
export const canSwap = ({ swapUntil }: Pick<Referral, 'swapUntil'>, now: number): boolean =>
  swapUntil !== null && now < Date.parse(swapUntil);

/** The sources of tickets, in the order of the dashboard. */
export const ticketSources: readonly { source: EntrySource; name: string }[] = [
  { source: 'signup', name: 'Signup' },
  { source: 'listing', name: 'Listings' },
  { source: 'referral', name: 'Referrals' },
  { source: 'other', name: 'Other' },
];

const entryLabels = new Map([
  ['signup', 'User Signup'],
  ['referral', 'Successful Referral'],
  ['listing', 'Listing Created'],
]);

/** An entry's label in the list of entries. */
export const entryLabel = (source: string): string => entryLabels.get(source) ?? 'Entry';

const voidTexts: Record<NonNullable<DrawEntry['voidReason']>, string> = {
  administrator: 'Administrators take no part',
  suspended: 'The account was suspended',
  deleted: 'The account was deleted',
  swapped: 'Swapped for a free month',
  fraud: 'Cancelled for abuse',
  unconfirmed: 'The email address was not confirmed in time',
};

/** Why an entry takes no part. */
export const formatVoid = (reason: DrawEntry['voidReason']): string | null => reason && voidTexts[reason];

/** "November 2026"; months count from 0. */
export const formatReferralMonth = (year: number, month: number): string => monthName(year, month + 1);

/** "2026-11", the format of an entry's draw; months count from 0. */
export const formatReferralPeriod = ({ year, month }: { year: number; month: number }): string =>
  `${year}-${String(month + 1).padStart(2, '0')}`;

/** A draw's date, else its month, else that it is unknown. */
export function formatDrawDate(draw: { drawDate?: string | null; month?: number | null; year?: number | null }, timeZone: string): string {
  const { drawDate, month, year } = draw;
  if (drawDate && !Number.isNaN(Date.parse(drawDate))) return formatDate(drawDate, timeZone);
  if (typeof month === 'number' && typeof year === 'number') return formatReferralMonth(year, month);
  return 'Date not available';
}
