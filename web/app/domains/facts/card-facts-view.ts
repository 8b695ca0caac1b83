import { describeFacts } from '@handwise/contract/facts/facts';
import { formatPrice } from '@handwise/contract/facts/prices';
import { formatAvailability } from '@handwise/contract/listings/availability';
import type { ListingCard } from '@handwise/contract/listings/calls';

// Apart from what pages of listings say, which lists of cards do not load.

/** The facts on a card: the price guide, with its fees apart, then a few words each. */
export type CardFactTexts = {
  price: string | null;
  fees?: string;
  availability?: string | null;
  verified: string | null;
  licence?: string | null;
  others: readonly string[];
};

/** "From $95 per hour" and "call-out $60, minimum charge $120", or the fees as the price if there is no other. */
function toPriceTexts(guide: NonNullable<ListingCard['priceGuide']>): Pick<CardFactTexts, 'price' | 'fees'> {
  const whole = formatPrice(guide);
  const price = formatPrice({ ...guide, callOut: null, minimumCharge: null });
  return price ? { price, fees: whole.slice(price.length).replace(/^, /, '') } : { price: whole };
}

export function toCardFacts(listing: ListingCard): CardFactTexts {
  const { priceGuide, availability, verified, answering, licence } = listing;
  return {
    ...(priceGuide ? toPriceTexts(priceGuide) : { price: null }),
    availability: availability && formatAvailability(availability),
    verified: verified.length === 0 ? null : verified.some((one) => one.sandbox) ? 'Verified (sandbox)' : 'Verified',
    licence: licence && 'Licence shown',
    others: [answering, ...describeFacts(listing).map(({ card }) => card)].filter((text) => text !== null),
  };
}
