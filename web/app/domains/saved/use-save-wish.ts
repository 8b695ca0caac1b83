import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from '../../lib/session/session.ts';
import { readUser } from '../../lib/session/stored-user.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { saveProblem } from './save-problem.ts';
import { rememberSaveWish, saveWishOf, takeSaveWish, withoutSaveWish } from './save-wish.ts';
import { setSaved } from './saved-store.ts';

/** Saves what a visitor wanted to save before signing in or registering. Once at the root. */
export function useSaveWish() {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const userId = user?._id;
  // At once and not when the session is known: the page may be left by the very next press.
  useEffect(() => {
    const wished = readUser() ? null : saveWishOf(search);
    if (wished) rememberSaveWish(wished);
  }, [search]);
  useEffect(() => {
    if (!userId) return;
    const listingId = takeSaveWish();
    if (!listingId) return;
    setSaved(listingId, true).then(
      () => toast('Saved to your list'),
      (error: unknown) => toast(saveProblem(error, true), 'error'),
    );
  }, [userId]);
  // Back from signing in, the address has done its work.
  useEffect(() => {
    const rest = withoutSaveWish(search);
    if (userId && rest !== search && saveWishOf(search) !== saveWishOf(rest)) {
      void navigate({ pathname, search: rest }, { replace: true, preventScrollReset: true });
    }
  }, [userId, pathname, search, navigate]);
}
