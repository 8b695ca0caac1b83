import { isId } from '@handwise/contract/ids';
import { createPendingAction, usePendingAction } from '../../lib/session/pending-action.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { setSaved } from './saved-store.ts';
import { ApiError } from '../../lib/api-error.ts';

/** The listing that a visitor wants to save. */
export const pendingSave = createPendingAction('save', 'saveWish', isId);

const save = (listingId: string) =>
  void setSaved(listingId, true).then(
    () => toast('Saved to your list'),
    (error: unknown) => toast(saveProblem(error, true), 'error'),
  );

/** Performs a pending save after signing in or registering. Mounted once at the root. */
export const usePendingSave = () => usePendingAction(pendingSave, save);

/** Why a heart was reverted, and what to do. */
export function saveProblem(error: unknown, wantedSaved: boolean): string {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return error.message;
  return wantedSaved
    ? 'This listing could not be saved. Please try again.'
    : 'This listing could not be removed from your list. Please try again.';
}
