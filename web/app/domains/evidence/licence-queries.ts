import type { CallInput } from '@handwise/contract/call';
import type {
  correctLicenceRequirementCall,
  listLicenceQueueCall,
  listLicenceRequirementsCall,
  recordLicenceCheckCall,
} from '@handwise/contract/evidence/licence-calls';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

const key = ['admin', 'licences'] as const;

export const licenceQueue = (page: number) =>
  queryOptions({
    queryKey: [...key, 'queue', page],
    queryFn: ({ signal }) =>
      call<typeof listLicenceQueueCall>({ method: 'GET', url: '/admin/licences/queue' }, { query: { page: String(page) } }, signal),
    staleTime: 0,
    // What is being typed must not be replaced.
    refetchOnWindowFocus: false,
  });

export const licenceRequirements = queryOptions({
  queryKey: [...key, 'requirements'],
  queryFn: ({ signal }) => call<typeof listLicenceRequirementsCall>({ method: 'GET', url: '/admin/licences/requirements' }, {}, signal),
  staleTime: 0,
  refetchOnWindowFocus: false,
});

export function useLicenceFinding() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<typeof recordLicenceCheckCall>) =>
      call<typeof recordLicenceCheckCall>({ method: 'POST', url: '/admin/licences/queue/:listingId' }, input),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}

export function useRequirementCorrection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<typeof correctLicenceRequirementCall>) =>
      call<typeof correctLicenceRequirementCall>({ method: 'POST', url: '/admin/licences/requirements/:id' }, input),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
}
