import type { CallAddress, InputOf } from '@handwise/contract/calls';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getServerReason } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';

/** Polls while a draw waits for its round. */
export const drawManagement = queryOptions({
  queryKey: ['admin', '/admin/draw-management'],
  queryFn: ({ signal }) => call('GET /admin/draw-management', {}, signal),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.currentDraw.status === 'waiting' ? 1_000 : false),
});

/** Refusals show the server's message; other failures say what failed. */
export const describeFailure = (error: unknown, otherwise: string) => getServerReason(error) ?? otherwise;

function useDeed<A extends CallAddress>(address: A) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<A>) => call(address, input),
    // Also after a failure, which is shown at once: another administrator may have acted first.
    onSettled: (_answer, error) => {
      const refetched = client.invalidateQueries({ queryKey: ['admin'] });
      return error ? undefined : refetched;
    },
  });
}

export const useRunDraw = () => useDeed('POST /admin/run-draw');
export const usePayment = () => useDeed('POST /admin/process-payment/:id');
export const useStrike = () => useDeed('POST /admin/draws/:id/strike');
export const useGiving = () => useDeed('POST /admin/entries');
/** Never cached: every access is audited. */
export const usePaymentDetails = () =>
  useMutation({
    mutationFn: (input: InputOf<'GET /admin/draws/:id/payment-details'>) => call('GET /admin/draws/:id/payment-details', input),
    gcTime: 0,
  });
