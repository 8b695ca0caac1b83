import { ApiError } from '../../lib/api-error.ts';

/** Why a heart went back to what it was, and what to do. */
export function saveProblem(error: unknown, wantedSaved: boolean): string {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return error.message;
  return wantedSaved
    ? 'This listing could not be saved. Please try again.'
    : 'This listing could not be removed from your list. Please try again.';
}
