import { site } from '@handwise/contract/site/site';
import { formatDate } from '../dates.ts';
import { money } from '../money.ts';

// Without schemas, because the card and the list of conversations import these words.

export const maxQuoteLines = 30;
export const maxLineLength = 200;
export const maxNotesLength = 2_000;
export const maxDeclineLength = 500;
/** 99,999.999 */
export const maxQuantityMilli = 99_999_999;
/** $1,000,000 for a unit, $10,000,000 in all. */
export const maxUnitMinor = 100_000_000;
export const maxTotalMinor = 1_000_000_000;
/** How long a quote may be valid. */
/** How far ahead the work may start. */
export const maxStartDays = 730;
export const maxValidDays = 365;

export const quoteStatuses = {
  sent: 'Sent',
  seen: 'Seen',
  accepted: 'Accepted',
  declined: 'Declined',
  replaced: 'Replaced',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
} as const;
export type QuoteStatus = keyof typeof quoteStatuses;

export const quoteKinds = { quote: 'Quote', estimate: 'Estimate' } as const;
export type QuoteKind = keyof typeof quoteKinds;

type Standing = { kind: QuoteKind; role: 'buyer' | 'seller'; state: QuoteStatus };

/** "Quote accepted", in a list. To its customer an open one is new, or still to be answered. */
export function nameQuoteState({ kind, role, state }: Standing): string {
  const name = quoteKinds[kind];
  if (role === 'buyer' && state === 'sent') return `New ${name.toLowerCase()}`;
  if (role === 'buyer' && state === 'seen') return `${name} to answer`;
  return `${name} ${quoteStatuses[state].toLowerCase()}`;
}

/** What the kind means, said wherever the price is. */
export const kindSentences: Record<QuoteKind, string> = {
  quote: 'This is a fixed price for the work described.',
  estimate: 'This is an estimate: the final price may change with the work.',
};

/** What accepting means. */
export const getContractSentence = () =>
  `The agreement is between the business and the customer. ${site.name} takes no part in it, and nothing is paid here.`;

/** Why a customer declines, in the order of the form. */
export const declineReasons = {
  price: 'The price is too high',
  timing: 'The timing does not suit',
  other_business: 'I chose another business',
  not_needed: 'I no longer need the work',
  other: 'Another reason',
} as const;
export type DeclineReason = keyof typeof declineReasons;

/** The reason as the business reads it. `left` is set when a customer closes their account. */
export const declineSentences: Record<DeclineReason | 'left', string> = {
  price: 'The price is too high.',
  timing: 'The timing does not suit.',
  other_business: 'They chose another business.',
  not_needed: 'They no longer need the work.',
  other: 'They have another reason.',
  left: 'They closed their account.',
};

export const formatGst = ({ gstIncluded }: { gstIncluded: boolean }) => (gstIncluded ? 'GST included' : 'not registered for GST');

type Offer = { kind: QuoteKind; totalMinor: number; currency: string; gstIncluded: boolean; validUntil: string };

/** "Dec 5, 2026" of 2026-12-05, which has no time zone. */
export const formatValidUntil = (day: string) => formatDate(day, 'UTC');

/** The text of the message that carries a quote. */
export const formatQuote = (offer: Offer) =>
  `${quoteKinds[offer.kind]}: ${money(offer.totalMinor, offer.currency)}, ${formatGst(offer)}. Valid until ${formatValidUntil(offer.validUntil)}.`;

const endings: Partial<Record<QuoteStatus, string>> = {
  replaced: 'It was replaced by a newer one.',
  expired: 'It is no longer valid.',
  withdrawn: 'The business has withdrawn it.',
};

/** What became of a quote that is neither open nor decided; undefined for the others. */
export const getEnding = (status: QuoteStatus): string | undefined => endings[status];
