import type { createListing } from '@handwise/contract/selling/calls';
import { servicesOf } from '@handwise/contract/selling/form-rules';
import { locationText } from '@handwise/contract/places/regions';
import { serviceAreaInput } from '@handwise/contract/listings/service-area-words';
import { ApiError } from '../../../lib/api-error.ts';
import { upload } from '../../../lib/api.ts';
import type { Photo } from '../fields/photo-rules.ts';
import type { Draft } from './wizard-checks.ts';

type Submission = {
  draft: Draft;
  photos: readonly Photo[];
  logo: File | null;
  planId: string;
  /** The intent that paid for the plan, or null where nothing had to be paid. */
  paymentId: string | null;
  covered: boolean;
};

type Published = { id: string; title: string };

// By what they say, so that pressing twice, in two places of the page, is one listing. Kept until the page is left.
const submissions = new Map<string, { submissionId: string; outcome: Promise<Published> }>();
const keyOf = ({ listing }: Draft) => JSON.stringify([listing.title, listing.description, listing.category].map((text) => text.trim()));

const duplicateText = 'You have just published a listing with the same title, description and category.';

/** Sends a listing. The same one sent again while it is under way, or afterwards, is the same listing. Throws `ApiError`. */
export function publish(submission: Submission, onProgress: (share: number) => void): Promise<Published> {
  const key = keyOf(submission.draft);
  const { submissionId } = submission.draft;
  const known = submissions.get(key);
  if (known && known.submissionId !== submissionId) return Promise.reject(new ApiError(409, 'submission_taken', duplicateText));
  if (known) return known.outcome;
  const outcome = send(submission, onProgress);
  submissions.set(key, { submissionId, outcome });
  outcome.catch(() => submissions.delete(key));
  return outcome;
}

async function send({ draft, photos, logo, planId, paymentId, covered }: Submission, onProgress: (share: number) => void) {
  const { business, listing } = draft;
  const { country, region, district } = business;
  if (country === '') throw new ApiError(400, 'invalid_input', 'Country is required');
  const { _id } = await upload<typeof createListing>(
    { method: 'POST', url: '/listing/create' },
    {
      form: {
        submissionId: draft.submissionId,
        submissionTimestamp: new Date().toISOString(),
        businessTitle: business.businessName,
        serviceTitle: listing.title,
        businessEmailAddress: business.businessEmail,
        businessInfo: business.aboutBusiness,
        serviceDescription: listing.description,
        serviceCategory: listing.category,
        ...(listing.subCategory && { serviceSubCategory: listing.subCategory }),
        servicePlan: planId,
        location: locationText({ country, region, district }),
        services: servicesOf(business.services).join(', '),
        website: business.website,
        ...serviceAreaInput(listing),
        ...draft.evidence,
        isUsingExistingSubscription: covered ? 'true' : 'false',
        ...(paymentId && { paymentId }),
        ...(!logo && {
          usingDefaultLogo: 'true' as const,
          defaultLogoColor: draft.logoColor,
          defaultLogoText: ([...business.businessName.trim()][0] ?? 'B').toUpperCase(),
        }),
      },
      files: {
        serviceImages: photos.flatMap((photo) => ('file' in photo ? [photo.file] : [])),
        ...(logo && { logo: [logo] }),
      },
    },
    onProgress,
  );
  return { id: _id, title: listing.title.trim() };
}
