import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { onLive } from '../../lib/live/live-events.ts';

const fiveMinutes = 5 * 60 * 1000;
const dashboardKey = ['referral-dashboard'];

/** The user's referrals, tickets and draw. Keyed by user, so that the next user never sees them. */
export const referralDashboard = (userId: string | undefined) =>
  queryOptions({
    queryKey: [...dashboardKey, userId],
    queryFn: ({ signal }) => call('GET /referral/dashboard', {}, signal),
    enabled: userId !== undefined,
    staleTime: fiveMinutes,
    gcTime: fiveMinutes,
    retry: 1,
    refetchOnWindowFocus: false,
  });

/** The user's unused free months. Keyed under subscriptions, so that purchases invalidate them. */
export const ownCredits = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['subscriptions', userId, 'credits'],
    queryFn: async ({ signal }) => (await call('GET /plan-user/my-subscriptions', {}, signal)).data.credits,
    enabled: userId !== undefined,
    retry: 1,
  });

const aMinute = 60 * 1000;

/** Refetches the dashboard on referral events and when the address is confirmed; after a reconnect unless it was just read. */
export function useLiveReferrals() {
  const client = useQueryClient();
  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: dashboardKey });
    const isOld = ({ state: { dataUpdatedAt } }: { state: { dataUpdatedAt: number } }) =>
      dataUpdatedAt > 0 && Date.now() - dataUpdatedAt > aMinute;
    const refreshOld = () => void client.invalidateQueries({ queryKey: dashboardKey, predicate: isOld });
    const stops = [onLive('referral', refresh), onLive('address-confirmed', refresh), onLive('reset', refreshOld)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}

/** Swaps the tickets of a referral for a free month. */
export function useSwap() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (referralId: string) =>
      call('POST /referral/rewards/:id', { params: { id: referralId }, body: { rewardType: 'free_month' } }),
    // Also after a failure: another tab may have swapped them.
    onSettled: () =>
      Promise.all([client.invalidateQueries({ queryKey: dashboardKey }), client.invalidateQueries({ queryKey: ['subscriptions'] })]),
  });
}

/** Gets the user's code, and creates it if there is none. */
export function useOwnCode() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /referral/generate-code', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: dashboardKey }),
  });
}
