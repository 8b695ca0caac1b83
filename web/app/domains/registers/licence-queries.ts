import type { InputOf } from '@handwise/contract/calls';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

const key = ['admin', 'licences'] as const;

export const licenceQueue = (page: number) =>
  queryOptions({
    queryKey: [...key, 'queue', page],
    queryFn: ({ signal }) => call('GET /admin/licences/queue', { query: { page: String(page) } }, signal),
    staleTime: 0,
    // What is being typed must not be replaced.
    refetchOnWindowFocus: false,
  });

export const licenceRequirements = queryOptions({
  queryKey: [...key, 'requirements'],
  queryFn: ({ signal }) => call('GET /admin/licences/requirements', {}, signal),
  staleTime: 0,
  refetchOnWindowFocus: false,
});

export function useLicenceFinding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<'POST /admin/licences/queue/:listingId'>) => call('POST /admin/licences/queue/:listingId', input),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}

export function useRequirementCorrection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<'POST /admin/licences/requirements/:id'>) => call('POST /admin/licences/requirements/:id', input),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}
