import { checkWinnerCall, submitPaymentDetailsCall } from '@handwise/contract/draws/calls';
import type { CallInput } from '@handwise/contract/call';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

/** Whether the user has won. Never cached: a draw may just have been made, or a winner struck. */
export const winnerCheck = queryOptions({
  queryKey: ['draws', 'winner'],
  queryFn: ({ signal }) => call(checkWinnerCall, {}, signal),
  staleTime: 0,
  gcTime: 0,
});

export function useClaim() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: CallInput<typeof submitPaymentDetailsCall>) => call(submitPaymentDetailsCall, input),
    onSuccess: ({ draw }) => client.setQueryData(winnerCheck.queryKey, { isWinner: true, draw }),
  });
}
