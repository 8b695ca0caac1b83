import { ApiError } from '../../../lib/api-error.ts';
import { toldFields } from '../../../lib/forms/form-problem.ts';
import { fieldLabels } from '../fields/field-labels.ts';

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
