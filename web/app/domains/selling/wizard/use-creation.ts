import type { Plan } from '@handwise/contract/plans/calls';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast } from '../../../ui/feedback/toast.tsx';
import type { Photo } from '../fields/photo-rules.ts';
import { publish } from './publish.ts';
import type { useWizard } from './use-wizard.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { toldFields } from '../../../lib/forms/form-problem.ts';
import { fieldLabels } from '../fields/field-labels.ts';

const freeText = 'An unexpected error occurred with the free listing. Please try again.';

type CreationOptions = {
  wizard: ReturnType<typeof useWizard>;
  /** Once published, the draft's files are not needed any more, except the logo of the next one. */
  clearFiles: () => void;
  changeLogo: (logo: File) => void;
};
type Creation = {
  plan: Plan | undefined;
  photos: readonly Photo[];
  logo: File | null;
  /** A subscription covers the listing. */
  covered: boolean;
  /** The intent that paid for the plan, or null where nothing had to be paid. */
  paymentId: string | null;
};

/** Publishes the draft, once, and leads to the confirmation, or back to the payment with what went wrong. */
export function useCreation({ wizard, clearFiles, changeLogo }: CreationOptions) {
  const { draft, update } = wizard;
  const queries = useQueryClient();
  /** Of the files, how large a share has been sent; null while nothing is under way. */
  const [share, setShare] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  async function create({ plan, photos, logo, covered, paymentId }: Creation) {
    if (!plan || share !== null) return;
    setFailure(null);
    setShare(0);
    scrollTo({ top: 0 });
    try {
      const shown = photos.slice(0, plan.photos);
      const listing = await publish({ draft, photos: shown, logo, planId: plan._id, paymentId, covered }, setShare);
      toast('Listing created successfully!');
      clearFiles();
      await wizard.complete(listing);
      if (logo) changeLogo(logo);
    } catch (error) {
      const isFree = paymentId === null && !covered;
      const problem = creationProblem(error);
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

/** What the server says of a listing that was not created, if anything, and what of the draft must not be used again. */
export function creationProblem(error: unknown): { text: string | null; forgetsPayment: boolean; needsNewId: boolean } {
  const known = error instanceof ApiError && error.status > 0 && error.code !== 'internal' ? error : null;
  return {
    // What is said of fields says it more exactly than the message for all of them.
    text: known && (toldFields(known.fieldErrors, fieldLabels) || known.message),
    forgetsPayment: known !== null && ['payment_used', 'payment_not_found', 'payment_mismatch'].includes(known.code),
    needsNewId: known?.code === 'submission_taken',
  };
}
