import type { InputOf } from '@handwise/contract/calls';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

/** Whether the user has won. Never cached: a draw may just have been made, or a winner struck. */
export const winnerCheck = queryOptions({
  queryKey: ['draws', 'winner'],
  queryFn: ({ signal }) => call('GET /referral/check-winner', {}, signal),
  staleTime: 0,
  gcTime: 0,
});

export function useClaim() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<'POST /referral/payment-details'>) => call('POST /referral/payment-details', input),
    onSuccess: ({ draw }) => client.setQueryData(winnerCheck.queryKey, { isWinner: true, draw }),
  });
}
