import { useEffect } from 'react';
import { useSession } from '../../lib/session.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { takeSaveWish } from './save-wish.ts';
import { saveProblem } from './save-problem.ts';
import { setSaved } from './saved-store.ts';

/** Saves what a visitor wanted to save before signing in or registering. Once at the root. */
export function useSaveWish() {
  const { user } = useSession();
  const userId = user?._id;
  useEffect(() => {
    if (!userId) return;
    const listingId = takeSaveWish();
    if (!listingId) return;
    setSaved(listingId, true).then(
      () => toast('Saved to your list'),
      (error: unknown) => toast(saveProblem(error, true), 'error'),
    );
  }, [userId]);
}
