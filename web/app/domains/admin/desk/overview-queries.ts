import type { getAdminOverview } from '@handwise/contract/admin/reports';
import type { listReferrals } from '@handwise/contract/referrals/admin';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

// Without the schemas of the other administrators' calls. Keys begin like theirs, so that decisions refetch these too.

export const overview = queryOptions({
  queryKey: ['admin', '/admin/overview'],
  queryFn: ({ signal }) => call<typeof getAdminOverview>({ method: 'GET', url: '/admin/overview' }, {}, signal),
  staleTime: 0,
});

export const heldReferrals = queryOptions({
  queryKey: ['admin', '/admin/referrals', 'held'],
  queryFn: ({ signal }) =>
    call<typeof listReferrals>({ method: 'GET', url: '/admin/referrals' }, { query: { status: 'held', page: '1' } }, signal),
  staleTime: 0,
});
