import { maxQuoteReceivers } from '@handwise/contract/messages/limits';
import { type Outcomes, isSent } from '../../first-message/several.ts';
import type { QuotePick } from './quote-draft.ts';

/** With a business picked or taken back. To whom it has gone stays, and no more are picked than it may go to. */
export function toggled(picks: readonly QuotePick[], pick: QuotePick, outcomes: Outcomes): readonly QuotePick[] {
  if (isSent(outcomes, pick.listingId)) return picks;
  const others = picks.filter(({ listingId }) => listingId !== pick.listingId);
  if (others.length < picks.length) return others;
  return picks.length < maxQuoteReceivers ? [...picks, pick] : picks;
}

/** What can be chosen from: what is picked and no longer suggested, then what is. */
export const offered = <Pro extends QuotePick>(picks: readonly QuotePick[], pros: readonly Pro[]): readonly (Pro | QuotePick)[] => {
  const known = new Set(pros.map(({ listingId }) => listingId));
  return [...picks.filter(({ listingId }) => !known.has(listingId)), ...pros];
};

/** Picks for another job are none for this one; the listing that somebody comes from is picked. */
export function startingPicks(
  draft: { category: string; picks: readonly QuotePick[] },
  start: { category?: string | undefined; listing?: QuotePick | undefined },
): readonly QuotePick[] {
  const same = start.category === undefined || draft.category === '' || start.category === draft.category;
  const kept = same ? draft.picks : [];
  const { listing } = start;
  if (!listing) return kept;
  return [listing, ...kept.filter(({ listingId }) => listingId !== listing.listingId)].slice(0, maxQuoteReceivers);
}
