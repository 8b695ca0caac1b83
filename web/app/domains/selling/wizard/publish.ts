import type { Plan } from '@handwise/contract/plans/calls';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../../ui/feedback/toast.tsx';
import type { Photo } from '../fields/photo-rules.ts';
import { readRefused, type RefusedFiles } from './use-photo-check.ts';
import type { useWizard } from './use-wizard.ts';
import { ApiError, getServerReason } from '../../../lib/api-error.ts';
import { formatFieldErrors } from '../../../lib/forms/form-problem.ts';
import { fieldLabels } from '../fields/field-labels.ts';
import { listServices } from '@handwise/contract/selling/form-rules';
import { formatLocation } from '@handwise/contract/places/regions';
import { toServiceAreaInput } from '@handwise/contract/listings/service-area-form';
import { upload } from '../../../lib/upload.ts';
import type { Draft } from './wizard-checks.ts';

const freeText = 'An unexpected error occurred with the free listing. Please try again.';

type CreationOptions = {
  wizard: ReturnType<typeof useWizard>;
  /** Deletes the draft's files after publishing; `changeLogo` then stores the logo for the next listing. */
  clearFiles: () => void;
  changeLogo: (logo: File) => void;
  /** Takes files that the server cannot use out of the draft. */
  onRefused: (refused: RefusedFiles) => void;
};
type Creation = {
  plan: Plan | undefined;
  photos: readonly Photo[];
  logo: File | null;
  /** A subscription covers the listing. */
  covered: boolean;
  /** The intent that paid for the plan, or null if nothing was due. */
  paymentId: string | null;
};

/** Publishes the draft once, then opens the confirmation, or the payment step with the error. */
export function useCreation({ wizard, clearFiles, changeLogo, onRefused }: CreationOptions) {
  const { draft, update } = wizard;
  const queries = useQueryClient();
  /** The share of the files that has been sent; null without a request. */
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function create({ plan, photos, logo, covered, paymentId }: Creation) {
    if (!plan || share !== null) return;
    setFailure(null);
    setShare(0);
    scrollTo({ top: 0 });
    try {
      const shown = photos.slice(0, plan.photos);
      const submission = { draft, photos: shown, logo, planId: plan._id, paymentId, covered };
      const listing = await publish(submission, setShare).catch((error: unknown) => {
        const refused = findRefused(error, shown);
        if (!refused) throw error;
        // The others are not held up by one that cannot be used.
        onRefused(refused);
        toast(refused.messages.join(' '), 'error');
        const usable = shown.filter(({ id }) => !refused.photoIds.has(id));
        return publish({ ...submission, photos: usable, logo: refused.isLogoRefused ? null : logo }, setShare);
      });
      toast('Listing created successfully!');
      clearFiles();
      await wizard.complete(listing);
      if (logo) changeLogo(logo);
    } catch (error) {
      const isFree = paymentId === null && !covered;
      const problem = describeCreationError(error);
      setFailure(problem.text ?? (isFree ? freeText : 'Failed to create your listing. Please try again.'));
      toast(problem.text ?? 'Failed to create listing. Please try again.', 'error');
      if (problem.forgetsPayment) update({ payment: null });
      if (problem.needsNewId) update({ submissionId: crypto.randomUUID() });
      await wizard.goTo('payment', { replace: true });
    }
    setShare(null);
    await queries.invalidateQueries();
  }
  return { share, failure, forgetFailure: () => setFailure(null), create };
}

/** The files because of which a listing was not created; null if it was for another reason. */
export function findRefused(error: unknown, photos: readonly Photo[]): RefusedFiles | null {
  if (!(error instanceof ApiError) || !['unsupported_picture', 'picture_too_large'].includes(error.code)) return null;
  const refused = readRefused(error.fieldErrors, photos);
  return refused.photoIds.size > 0 || refused.isLogoRefused ? refused : null;
}

// The last two: it was refunded; its plan has ended or is full.
const spentPayment = new Set<string>(['payment_used', 'payment_not_found', 'payment_mismatch', 'payment_required', 'no_free_slot']);

/** The server's reason why a listing was not created, and which parts of the draft to discard. */
export function describeCreationError(error: unknown): { text: string | null; forgetsPayment: boolean; needsNewId: boolean } {
  const apiError = getServerReason(error) !== null ? (error as ApiError) : null;
  return {
    // Field errors are more precise than the general message.
    text: apiError && (formatFieldErrors(apiError.fieldErrors, fieldLabels) || apiError.message),
    forgetsPayment: apiError !== null && spentPayment.has(apiError.code),
    needsNewId: apiError?.code === 'submission_taken',
  };
}

type Submission = {
  draft: Draft;
  photos: readonly Photo[];
  logo: File | null;
  planId: string;
  /** The intent that paid for the plan, or null if nothing was due. */
  paymentId: string | null;
  covered: boolean;
};

type Published = { id: string; title: string };

// Keyed by the listing's texts, so that two presses create one listing. Lives until the page is left.
const submissions = new Map<string, { submissionId: string; outcome: Promise<Published> }>();
const getKey = ({ listing }: Draft) => JSON.stringify([listing.title, listing.description, listing.category].map((text) => text.trim()));

const duplicateText = 'You have just published a listing with the same title, description and category.';

/** Publishes a listing. Idempotent for the same draft, during the request and afterwards. Throws `ApiError`. */
export function publish(submission: Submission, onProgress: (share: number) => void): Promise<Published> {
  const key = getKey(submission.draft);
  const { submissionId } = submission.draft;
  const previous = submissions.get(key);
  if (previous && previous.submissionId !== submissionId) return Promise.reject(new ApiError(409, 'submission_taken', duplicateText));
  if (previous) return previous.outcome;
  const outcome = send(submission, onProgress);
  submissions.set(key, { submissionId, outcome });
  outcome.catch(() => submissions.delete(key));
  return outcome;
}

async function send({ draft, photos, logo, planId, paymentId, covered }: Submission, onProgress: (share: number) => void) {
  const { business, listing } = draft;
  const { country, region, district } = business;
  if (country === '') throw new ApiError(400, 'invalid_input', 'Country is required');
  const { _id } = await upload(
    'POST /listing/create',
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
        location: formatLocation({ country, region, district }),
        services: listServices(business.services).join(', '),
        website: business.website,
        businessPhone: business.businessPhone,
        ...toServiceAreaInput(listing),
        ...draft.facts,
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
