import type { getQuote, listPlans, listSubscriptions } from '@handwise/contract/plans';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** What one has paid for: the running subscriptions first. */
export const ownSubscriptions = queryOptions({
  queryKey: ['subscriptions'],
  queryFn: async ({ signal }) =>
    (await call<typeof listSubscriptions>({ method: 'GET', url: '/plan-user/my-subscriptions' }, {}, signal)).data.subscriptions,
  staleTime: 0,
});

export const allPlans = queryOptions({
  queryKey: ['plans'],
  queryFn: ({ signal }) => call<typeof listPlans>({ method: 'GET', url: '/plan/all' }, {}, signal),
});

/** What a plan would cost for a listing now. A quote of a minute ago may be wrong, so it is asked for each time. */
export const quoteOf = (listingId: string, planId: string) =>
  queryOptions({
    queryKey: ['quote', listingId, planId],
    queryFn: ({ signal }) =>
      call<typeof getQuote>({ method: 'GET', url: '/plan-user/quote' }, { query: { listingId, planId } }, signal),
    staleTime: 0,
  });
