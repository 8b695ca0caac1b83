import type { getProfile } from '@handwise/contract/accounts/profile';
import type { listMails } from '@handwise/contract/mail-preferences';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** One's own account, with what only its owner sees. */
export const ownProfile = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => (await call<typeof getProfile>({ method: 'GET', url: '/auth/me' }, {}, signal)).data,
});

/** Which mails one gets, of those that one can end. */
export const ownMails = queryOptions({
  queryKey: ['mails'],
  queryFn: async ({ signal }) => (await call<typeof listMails>({ method: 'GET', url: '/mails' }, {}, signal)).mails,
});
