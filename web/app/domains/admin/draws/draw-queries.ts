import { giveEntryCall } from '@handwise/contract/tickets/calls';
import {
  lookAtPaymentDetailsCall,
  processPaymentCall,
  runDrawCall,
  showDrawManagementCall,
  strikeWinnerCall,
} from '@handwise/contract/draws/admin';
import type { Call, CallInput } from '@handwise/contract/call';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { getServerReason } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';

/** Polls while a draw waits for its round. */
export const drawManagement = queryOptions({
  queryKey: ['admin', showDrawManagementCall.url],
  queryFn: ({ signal }) => call(showDrawManagementCall, {}, signal),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.currentDraw.status === 'waiting' ? 1_000 : false),
});

/** Refusals show the server's message; other failures say what failed. */
export const describeFailure = (error: unknown, otherwise: string) => getServerReason(error) ?? otherwise;

function useDeed<C extends Call>(one: C) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<C>) => call(one, input),
    // Also after a failure: another administrator may have acted first.
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export const useRunDraw = () => useDeed(runDrawCall);
export const usePayment = () => useDeed(processPaymentCall);
export const useStrike = () => useDeed(strikeWinnerCall);
export const useGiving = () => useDeed(giveEntryCall);
/** Never cached: every access is audited. */
export const usePaymentDetails = () =>
  useMutation({ mutationFn: (input: CallInput<typeof lookAtPaymentDetailsCall>) => call(lookAtPaymentDetailsCall, input), gcTime: 0 });
