import type { Profile } from '@handwise/contract/accounts/profile';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { setUser } from '../../lib/session/session.ts';
import { readUser } from '../../lib/session/stored-user.ts';

/** The user's own account, with fields that only its owner sees. */
export const ownProfile = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => (await call('GET /auth/me', {}, signal)).data,
});

/** The emails that the member can switch off, and which are on. */
export const ownMails = queryOptions({
  queryKey: ['mails'],
  queryFn: async ({ signal }) => (await call('GET /mails', {}, signal)).mails,
});

/** Stores an updated account for this page and the header of every page. */
export function useSaveProfile(): (answered: Profile & { token?: string }) => void {
  const queries = useQueryClient();
  return ({ token, ...profile }) => {
    queries.setQueryData(ownProfile.queryKey, profile);
    const user = readUser();
    if (!user) return;
    const { _id, name, fullName, username, email, avatar, role, referralCode, emailConfirmed } = profile;
    setUser({ _id, name, fullName, username, email, avatar, role, referralCode, emailConfirmed, token: token ?? user.token });
  };
}
