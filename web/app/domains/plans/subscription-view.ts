import { dateText, dayMs } from '@handwise/contract/dates';
import { subscriptionDays } from '@handwise/contract/plans/table';
import type { Subscription } from '@handwise/contract/plans/calls';

type Shown = Pick<Subscription, 'isActive' | 'isReplaced' | 'isReturned' | 'isDisputed' | 'endDate' | 'timeZone'>;

/** What is worth a place above one's listings: what runs, and for as long as a plan what a refund has ended. */
export function isShown({ isActive, isReplaced, isReturned, endDate }: Shown, now: Date): boolean {
  const isFresh = now.getTime() - Date.parse(endDate) < subscriptionDays * dayMs;
  return isActive || (isReturned && !isReplaced && isFresh);
}

/** What is particular about a plan, in a word, and what it means. */
export function markOf({ isActive, isDisputed }: Pick<Shown, 'isActive' | 'isDisputed'>): { mark: string; means: string } | null {
  if (!isActive) return { mark: 'Ended', means: 'Its payment is being refunded, so its listings are no longer shown. They are kept.' };
  if (!isDisputed) return null;
  return {
    mark: 'Paused',
    means:
      'Your bank is looking at its payment. What is published stays up, but nothing new can be published under the plan until the bank has decided.',
  };
}

export const endText = ({ isActive, endDate, timeZone }: Pick<Shown, 'isActive' | 'endDate' | 'timeZone'>) =>
  `${isActive ? 'Ends' : 'Ended'} on ${dateText(endDate, timeZone)}`;
