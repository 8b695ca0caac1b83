import { getDay } from '@handwise/contract/dates';
import { formatGstNumber } from '@handwise/contract/facts/gst-number';
import type { Listing, ListingCard, ListingPage } from '@handwise/contract/listings/calls';
import { findCategoryByCode, findSubCategoryByCode } from '@handwise/contract/listings/categories';
import type { Picture } from '@handwise/contract/listings/picture';
import { formatPhoneNumber } from '@handwise/contract/phone';
import { findDistrictByCode, formatLocation, findRegionByCode, getRegionTimeZone } from '@handwise/contract/places/regions';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans } from '@handwise/contract/plans/table';
import { fileUrl } from '../../kit/files/file-store.ts';
import type { StoredPicture } from '../../kit/files/stored-files.ts';
import { toFacts } from '../facts/facts.service.ts';
import { findBaseName } from '../places/places.service.ts';
import { toOwnCheck, toOwnLicenceCheck, toRegistration, toStatedLicence } from '../registers/registers.service.ts';
import type { ListingCardRow, DetailRow } from './listings.queries.ts';

const planByRank = new Map<number, PlanType>(Object.entries(plans).map(([type, { rank }]) => [rank, type as PlanType]));

const srcSet = ({ key, widths }: StoredPicture, format: 'avif' | 'webp') =>
  widths.map((width) => `${fileUrl(`${key}-${width}.${format}`)} ${width}w`).join(', ');

export function toPicture(picture: StoredPicture): Picture {
  const { key, widths, width, height, thumbhash, alt, formats } = picture;
  return {
    src: fileUrl(`${key}-${widths.at(-1)}.webp`),
    srcSet: srcSet(picture, 'webp'),
    avifSrcSet: formats?.includes('avif') ? srcSet(picture, 'avif') : '',
    width,
    height,
    thumbhash,
    alt,
  };
}

function toBase(row: ListingCardRow) {
  const region = findRegionByCode(row.region_code);
  const district = findDistrictByCode(row.district_code);
  const category = findCategoryByCode(row.category_code);
  const country = row.country;
  const reviewCount = row.rating_counts.reduce((sum, count) => sum + count, 0);
  const stars = row.rating_counts.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const timeZone = getRegionTimeZone(row.region_code, country);
  const place = { district: district?.name ?? '', region: region?.name ?? '', country };
  return {
    _id: row.id,
    listingNumber: row.listing_number,
    serviceTitle: row.service_title,
    businessTitle: row.business_title,
    serviceDescription: row.service_description,
    mainCategory: row.main_category,
    serviceCategory: category?.name ?? '',
    serviceSubCategory: row.sub_category_code === null ? null : (findSubCategoryByCode(row.sub_category_code)?.name ?? null),
    services: row.services,
    logo: row.logo,
    logoColor: row.logo_color,
    location: formatLocation(place),
    ...place,
    ...toServiceArea(row),
    status: row.status,
    plan: { planType: getPlanTypeByRank(row.plan_rank) },
    sellerId: row.seller_id,
    averageRating: reviewCount === 0 ? 0 : stars / reviewCount,
    reviewCount,
    createdAt: row.created_at.toISOString(),
    subscriptionEndDate: row.subscription_ends_at.toISOString(),
    timeZone,
    ...toFacts(row),
    ...toRegistration(row),
    availability: row.availability && { state: row.availability.state, until: getDayBefore(row.availability.ends, timeZone) },
  };
}

/** The day that a midnight ends. */
const getDayBefore = (midnight: string, timeZone: string) => getDay(new Date(Date.parse(midnight) - 1), timeZone);

/** The base and service area by names. */
export const toServiceArea = (row: Pick<ListingCardRow, 'base_locality_code' | 'service_radius_km' | 'service_districts'>) => ({
  base: row.base_locality_code === null ? null : (findBaseName(row.base_locality_code) ?? null),
  serviceRadiusKm: row.service_radius_km,
  serviceDistricts: (row.service_districts ?? []).flatMap((code) => findDistrictByCode(code)?.name ?? []),
});

export const getPlanTypeByRank = (rank: number): PlanType => planByRank.get(rank) ?? 'basic';

// Shows as many pictures as the current plan includes, even if an earlier plan included more.
const getMaxPhotos = (row: ListingCardRow) => plans[getPlanTypeByRank(row.plan_rank)].photos;
const listShownPictures = (row: ListingCardRow) => row.pictures.slice(0, getMaxPhotos(row)).map(toPicture);

/** A row as a card of the API. */
export function toCard(row: ListingCardRow): ListingCard {
  const pictures = listShownPictures(row);
  const ratings = row.rating_counts.flatMap((count, index) => Array.from({ length: count }, () => ({ rating: index + 1 })));
  return {
    ...toBase(row),
    serviceImages: pictures.map((picture) => picture.src),
    cover: pictures[0] ?? null,
    reviews: ratings,
  };
}

export const buildListingPage = (listings: ListingCard[], total: number, { page, take }: { page: number; take: number }): ListingPage => ({
  listings,
  currentPage: page,
  totalPages: Math.ceil(total / take),
  totalListings: total,
});

export const toListingPage = (rows: readonly ListingCardRow[], total: number, at: { page: number; take: number }): ListingPage =>
  buildListingPage(rows.map(toCard), total, at);

/** A row as a listing in full. Only the owner gets the business email address, its phone number and pictures beyond the plan. */
export function toListing(row: DetailRow, reviews: Pick<Listing, 'reviews' | 'removedReviews'>, isOwner: boolean): Listing {
  const pictures = listShownPictures(row);
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = row.rating_counts;
  return {
    ...toBase(row),
    serviceImages: pictures.map((picture) => picture.src),
    pictures,
    businessInfo: row.business_info,
    website: row.website,
    sellerSince: row.seller_since.toISOString(),
    ratingCounts: [one, two, three, four, five],
    ...reviews,
    hasPhone: row.business_phone !== '',
    ...(isOwner && {
      businessEmailAddress: row.business_email,
      businessPhone: row.business_phone && formatPhoneNumber(row.business_phone),
      statedLicence: toStatedLicence(row),
      licenceCheck: toOwnLicenceCheck(row),
      registerCheck: row.register_check && toOwnCheck(row.register_check),
      gstNumber: row.gst_number === null ? '' : formatGstNumber(row.gst_number),
      gstRegistered: row.gst_registered,
      hiddenPictures: row.pictures.slice(getMaxPhotos(row)).map(toPicture),
    }),
  };
}
