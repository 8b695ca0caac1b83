import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { shownFacts } from '../facts/fields.ts';
import { planType } from '../plans/calls.ts';
import { ownCheck, ownLicenceCheck, shownRegistration, statedLicence } from '../registers/calls.ts';
import { review, reviewStub } from '../reviews/shown.ts';
import { availabilityStates } from './availability.ts';
import { mainCategories } from './categories.ts';
import { picture } from './picture.ts';
import { shownServiceArea } from './service-area.ts';

export const listingStatus = z
  .enum(['active', 'inactive', 'expired', 'hidden'])
  .meta({ description: 'hidden: taken off the site by moderators' });
export type ListingStatus = z.infer<typeof listingStatus>;

export const pageSize = 20;
const maxPageSize = 100;
/** A listing in full contains at most this many reviews, the newest; `ratingCounts` is always complete. */
export const maxReviewsOfDetail = 50;

/** A picture in several widths. `thumbhash` is base64, for the placeholder. */

const listingBase = z.object({
  _id: z.uuid(),
  listingNumber: z.int(),
  serviceTitle: z.string(),
  businessTitle: z.string(),
  serviceDescription: z.string(),
  mainCategory: z.enum(mainCategories),
  serviceCategory: z.string(),
  serviceSubCategory: z.string().nullable(),
  services: z.array(z.string()),
  serviceImages: z.array(z.string()),
  logo: z.string().meta({ description: 'A path from the site’s root; if empty, the first letter on logoColor takes its place' }),
  logoColor: z.string(),
  location: z.string().meta({ description: 'district, region, country', example: 'Taupō, Waikato, New Zealand' }),
  country: countryCode,
  region: z.string(),
  district: z.string(),
  ...shownServiceArea,
  status: listingStatus,
  plan: z.object({ planType }),
  sellerId: z.uuid(),
  averageRating: z.number().meta({ description: 'The mean of all ratings; 0 if there are none' }),
  reviewCount: z.int(),
  createdAt: z.iso.datetime(),
  subscriptionEndDate: z.iso.datetime(),
  timeZone: z.string().meta({ description: 'The time zone of its region, which its dates go by', example: 'Australia/Perth' }),
  ...shownFacts,
  ...shownRegistration,
  availability: z
    .object({ state: z.enum(availabilityStates), until: z.iso.date().meta({ description: 'The last day that it holds' }) })
    .nullable()
    .meta({ description: 'When the business says it has time, in its time zone; it ends by itself' }),
});

/** A listing in a list. `cover` is the first picture. */
export const listingCard = listingBase
  .extend({
    cover: picture.nullable(),
    reviews: z.array(z.object({ rating: z.int() })),
  })
  .meta({ id: 'ListingCard' });
export type ListingCard = z.infer<typeof listingCard>;

/** A listing in full. `businessEmailAddress`, `businessPhone`, `statedLicence`, `licenceCheck`, `registerCheck`, `gstNumber`, `gstRegistered` and `hiddenPictures` are present for its owner only. */
export const listing = listingBase
  .extend({
    businessInfo: z.string(),
    website: z.string(),
    pictures: z.array(picture),
    ratingCounts: z
      .tuple([z.int(), z.int(), z.int(), z.int(), z.int()])
      .meta({ description: 'How many reviews gave 1, 2, 3, 4 and 5 stars, in that order' }),
    reviews: z.array(review),
    removedReviews: z.array(reviewStub).meta({ description: 'What is still shown of removed reviews' }),
    sellerSince: z.iso.datetime(),
    hasPhone: z.boolean().meta({ description: 'Whether POST /listing/{id}/phone answers with a number' }),
    businessEmailAddress: z.string().optional(),
    businessPhone: z.string().optional().meta({ example: '+64 21 345 678' }),
    statedLicence: statedLicence
      .nullable()
      .optional()
      .meta({ description: 'For its owner: the licence as stated, also while it is hidden' }),
    licenceCheck: ownLicenceCheck.nullable().optional().meta({ description: 'For its owner: how the check of their licence went' }),
    registerCheck: ownCheck.nullable().optional().meta({ description: 'For its owner: how the check of their NZBN or ABN went' }),
    gstNumber: z.string().optional().meta({ description: 'For its owner: what quotes show in New Zealand; empty without one' }),
    gstRegistered: z.boolean().optional().meta({ description: 'For its owner: what quotes show in Australia' }),
    hiddenPictures: z.array(picture).optional().meta({ description: 'For its owner: pictures beyond the number the plan shows' }),
  })
  .meta({ id: 'Listing' });
export type Listing = z.infer<typeof listing>;

export const wholeNumber = (message: string) =>
  z.coerce
    .string({ error: message })
    .regex(/^\d{1,9}$/, message)
    .transform(Number);

export const pageQuery = {
  page: wholeNumber('Use a page number from 1')
    .refine((page) => page >= 1, 'Use a page number from 1')
    .optional(),
  limit: wholeNumber(`Use a number from 1 to ${maxPageSize}`)
    .refine((limit) => limit >= 1 && limit <= maxPageSize, `Use a number from 1 to ${maxPageSize}`)
    .optional(),
};

export const listingPage = z.object({
  listings: z.array(listingCard),
  currentPage: z.int(),
  totalPages: z.int(),
  totalListings: z.int(),
});
export type ListingPage = z.infer<typeof listingPage>;

export const listingId = z.object({ id: z.uuid('Use the id of a listing') });

export const getListingCall = {
  method: 'GET',
  url: '/listing/:id',
  summary: 'Get a listing with its latest reviews',
  details: 'Owners also see their own while it is not active.',
  access: 'optional',
  params: listingId,
  response: listing,
  errors: ['listing_not_found', 'listing_gone'],
} as const satisfies Call;

export const findListingCall = {
  ...getListingCall,
  url: '/listing/find/:id',
  summary: 'Get a listing, the same as /listing/{id}',
} as const satisfies Call;
