import type { Profile } from '@handwise/contract/accounts/profile';
import { useQueryClient } from '@tanstack/react-query';
import { setUser } from '../../lib/session/session.ts';
import { readUser } from '../../lib/session/stored-user.ts';
import { ownProfile } from './account-queries.ts';

/** Keeps an account as the server has answered it: for this page, and for the header on every page. */
export function useKeepProfile(): (answered: Profile & { token?: string }) => void {
  const queries = useQueryClient();
  return ({ token, ...profile }) => {
    queries.setQueryData(ownProfile.queryKey, profile);
    const user = readUser();
    if (!user) return;
    const { _id, name, fullName, username, email, avatar, role, referralCode, emailConfirmed } = profile;
    setUser({ _id, name, fullName, username, email, avatar, role, referralCode, emailConfirmed, token: token ?? user.token });
  };
}
