import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useSession } from './session.ts';
import { readUser } from './stored-user.ts';
import type { Wish } from './wish.ts';

/** Does what a visitor wanted before signing in or registering. Once at the root; `fulfil` stays the same. */
export function useWish(wish: Wish, fulfil: (wished: string) => void) {
  const { user } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const userId = user?._id;
  // At once and not when the session is known: the page may be left by the very next press.
  useEffect(() => {
    const wished = readUser() ? null : wish.read(search);
    if (wished) wish.remember(wished);
  }, [wish, search]);
  useEffect(() => {
    const wished = userId ? wish.take() : null;
    if (wished) fulfil(wished);
  }, [wish, fulfil, userId]);
  // Back from signing in, the address has done its work.
  useEffect(() => {
    const rest = wish.without(search);
    if (userId && rest !== search && wish.read(search) !== wish.read(rest)) {
      void navigate({ pathname, search: rest }, { replace: true, preventScrollReset: true });
    }
  }, [wish, userId, pathname, search, navigate]);
}
