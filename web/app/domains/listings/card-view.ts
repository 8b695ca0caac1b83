import type { ListingCard } from '@handwise/contract/listings/calls';
import type { Picture } from '@handwise/contract/listings/picture';
import type { PlanType } from '@handwise/contract/plans/calls';
import { formatServiceArea } from '@handwise/contract/listings/service-area-words';
import { formatBase, locationLine, slug } from '@handwise/contract/text';
import { type CardFactTexts, toCardFacts } from '../facts/card-facts-view.ts';
import { getExcerpt } from '../../lib/format.ts';

/** What a card shows, and no more: on public pages it is sent twice, as HTML and for the browser's first render. */
export type CardView = {
  id: string;
  title: string;
  business: { name: string; logo: string; color: string };
  categorySlug: string;
  location: string;
  /** "Onehunga, Auckland", "Taupō, Waikato" */
  place: string;
  /** Where it is based and how far it travels; empty if unknown. */
  serviceArea: string;
  description: string;
  averageRating: number;
  reviewCount: number;
  plan: PlanType;
  facts: CardFactTexts;
  cover: Picture | null;
};

export const toCardView = (listing: ListingCard): CardView => ({
  id: listing._id,
  title: listing.serviceTitle.trim() || 'Untitled Listing',
  business: { name: listing.businessTitle, logo: listing.logo, color: listing.logoColor },
  categorySlug: slug(listing.serviceCategory),
  location: locationLine(listing.location),
  place: formatBase(listing),
  serviceArea: formatServiceArea(listing, listing.location.split(', ')[0] ?? ''),
  description: getExcerpt(listing.serviceDescription) || 'No description available',
  averageRating: listing.averageRating,
  reviewCount: listing.reviewCount,
  plan: listing.plan.planType,
  facts: toCardFacts(listing),
  cover: listing.cover,
});
