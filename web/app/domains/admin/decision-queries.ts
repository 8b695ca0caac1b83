import type { listOwnDecisionsCall } from '@handwise/contract/admin/report-calls';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** Moderation decisions about the reader. */
export const ownDecisions = queryOptions({
  queryKey: ['decisions'],
  queryFn: async ({ signal }) => (await call<typeof listOwnDecisionsCall>({ method: 'GET', url: '/decisions' }, {}, signal)).decisions,
  staleTime: 60_000,
});
