import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** Moderation decisions about the reader. */
export const ownDecisions = queryOptions({
  queryKey: ['decisions'],
  queryFn: async ({ signal }) => (await call('GET /decisions', {}, signal)).decisions,
  staleTime: 60_000,
});
