import type { listListings } from '@handwise/contract/search';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import type { Filters } from './filters/search-params.ts';

/** One page of the listings that match. The page before stays until the next one is there. */
export const useListings = (filters: Filters) =>
  useQuery({
    queryKey: ['listings', filters],
    queryFn: ({ signal }) =>
      call<typeof listListings>({ method: 'GET', url: '/listing/all' }, { query: { ...filters, sort: filters.sort || undefined } }, signal),
    placeholderData: keepPreviousData,
  });
