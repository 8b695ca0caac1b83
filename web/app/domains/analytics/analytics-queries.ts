import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** Analytics of the user's listing over a number of days. The previous data stays until the next has loaded. */
export const listingAnalytics = (id: string, days: number) =>
  queryOptions({
    queryKey: ['analytics', id, days],
    queryFn: ({ signal }) =>
      call('GET /listing/:id/figures', { params: { id }, query: { days: String(days) as '7' | '30' | '90' } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** Analytics of all the user's listings, by id. */
export const ownAnalytics = queryOptions({
  queryKey: ['analytics', 'own'],
  queryFn: ({ signal }) => call('GET /listing/mylistings/figures', {}, signal),
  select: ({ listings }) => new Map(listings.map((one) => [one.listingId, one])),
});
