import type { getSecurity } from '@handwise/contract/sign-in/second-step';
import type { listSessions } from '@handwise/contract/sign-in/calls';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

export const ownSessions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const { sessions } = await call<typeof listSessions>({ method: 'GET', url: '/auth/sessions' }, {}, signal);
    return sessions;
  },
  staleTime: 0,
});

export const ownSecurity = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => call<typeof getSecurity>({ method: 'GET', url: '/auth/security' }, {}, signal),
  staleTime: 0,
});
