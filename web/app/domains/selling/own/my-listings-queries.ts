import { formatAvailability, type AvailabilityState } from '@handwise/contract/listings/availability';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { toast } from '../../../ui/feedback/toast.tsx';

export type StatusFilter = 'all' | ListingStatus;

/** One page of the member's listings. The previous page stays until the next has loaded. */
export const myListingsQuery = (status: StatusFilter, page: number) =>
  queryOptions({
    queryKey: ['my-listings', status, page],
    queryFn: ({ signal }) => call('GET /listing/mylistings', { query: { status, page: String(page) } }, signal),
    placeholderData: keepPreviousData,
    // Plans end by the clock, and other tabs and devices change them.
    staleTime: 0,
  });

/** A listing as its owner sees it. Also finds active listings of others: compare `sellerId`. */
export const ownListingQuery = (id: string) =>
  queryOptions({
    queryKey: ['listing', id],
    queryFn: ({ signal }) => call('GET /listing/:id', { params: { id } }, signal),
    staleTime: 0,
  });

/** Deactivates a listing; all its lists are reloaded. */
export function useDeactivation() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call('PUT /listing/:id/deactivate', { params: { id } }),
    onSuccess: () => toast('Listing status updated successfully'),
    onError: () => toast('Failed to update listing status', 'error'),
    // Also after a failure: the listing may have changed elsewhere, which is why it failed.
    onSettled: () => queries.invalidateQueries(),
  });
}

export type AvailabilityChoice = { state: AvailabilityState; until?: string };

/** Says when a listing has time, or takes it back with null. */
export function useAvailability(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (choice: AvailabilityChoice | null) =>
      choice
        ? call('PUT /listing/:id/availability', { params: { id }, body: choice })
        : call('DELETE /listing/:id/availability', { params: { id } }),
    onSuccess: ({ listing: { availability } }) =>
      toast(availability ? `Your listing says “${formatAvailability(availability)}”` : 'Your listing no longer says when you have time'),
    onError: (error) => toast(error instanceof Error ? error.message : 'Nothing was changed. Please try again.', 'error'),
    onSettled: () => queries.invalidateQueries(),
  });
}
