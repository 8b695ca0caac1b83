import { parseUrl } from '@handwise/contract/urls';
import { formatDate } from '@handwise/contract/dates';
import { formatAvailability } from '@handwise/contract/listings/availability';
import type { Listing } from '@handwise/contract/listings/calls';
import type { Picture } from '@handwise/contract/listings/picture';
import type { CountryCode } from '@handwise/contract/markets';
import type { PlanType } from '@handwise/contract/plans/calls';
import { formatServiceArea } from '@handwise/contract/listings/service-area-words';
import { locationLine, slug } from '@handwise/contract/text';
import { type FactsView, toFactsView } from '../facts/facts-view.ts';

/** What a listing's page shows, without its reviews. */
export type ListingView = {
  id: string;
  number: number;
  sellerId: string;
  title: string;
  description: readonly string[];
  category: { name: string; slug: string };
  subCategory: string | null;
  services: readonly string[];
  business: { name: string; logo: string; color: string; about: readonly string[]; website: { href: string; label: string } | null };
  hasPhone: boolean;
  location: string;
  country: CountryCode;
  region: { name: string; slug: string };
  district: string;
  /** "Based in Cambridge · works within 30 km", or empty. */
  serviceArea: string;
  served: { radiusKm: number; around: string } | { districts: readonly string[] } | null;
  averageRating: number;
  reviewCount: number;
  plan: PlanType;
  status: Listing['status'];
  pictures: readonly Picture[];
  /** From its newest reviews. */
  customerPictures: readonly Picture[];
  listedOn: string;
  facts: FactsView;
  openings: Listing['hours'];
  timeZone: string;
  /** "Available this week"; null if the business says nothing. */
  availability: string | null;
};

const maxCustomerPictures = 20;

/** The paragraphs of a text: its lines, without the empty ones. */
export const splitLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The link to a business's site. Only http and https are accepted; an address without a scheme gets https. */
export function createWebsiteLink(website: string): { href: string; label: string } | null {
  const text = website.trim();
  if (text === '') return null;
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null;
  return { href: url.href, label: url.host.replace(/^www\./, '') + (url.pathname === '/' ? '' : url.pathname) };
}

function getServed({ base, serviceRadiusKm: radiusKm, serviceDistricts: districts }: Listing): ListingView['served'] {
  if (base !== null && radiusKm !== null) return { radiusKm, around: base };
  return districts.length > 0 ? { districts } : null;
}

export function listingView(listing: Listing): ListingView {
  return {
    id: listing._id,
    number: listing.listingNumber,
    sellerId: listing.sellerId,
    title: listing.serviceTitle.trim() || 'Untitled Listing',
    description: splitLines(listing.serviceDescription),
    category: { name: listing.serviceCategory, slug: slug(listing.serviceCategory) },
    subCategory: listing.serviceSubCategory,
    services: listing.services,
    business: {
      name: listing.businessTitle,
      logo: listing.logo,
      color: listing.logoColor,
      about: splitLines(listing.businessInfo),
      website: createWebsiteLink(listing.website),
    },
    hasPhone: listing.hasPhone,
    location: listing.location ? locationLine(listing.location) : 'Location unavailable',
    country: listing.country,
    region: { name: listing.region, slug: slug(listing.region) },
    district: listing.district,
    serviceArea: formatServiceArea(listing, listing.district),
    served: getServed(listing),
    averageRating: listing.averageRating,
    reviewCount: listing.reviewCount,
    plan: listing.plan.planType,
    status: listing.status,
    pictures: listing.pictures,
    customerPictures: listing.reviews.flatMap(({ pictures }) => pictures).slice(0, maxCustomerPictures),
    listedOn: formatDate(listing.createdAt, listing.timeZone),
    facts: toFactsView(listing),
    openings: listing.hours,
    timeZone: listing.timeZone,
    availability: listing.availability && formatAvailability(listing.availability),
  };
}
