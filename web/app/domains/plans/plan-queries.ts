import type { CountryCode } from '@handwise/contract/markets';
import type { Subscription } from '@handwise/contract/plans/calls';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

export const usePlans = () => useQuery({ queryKey: ['plans'], queryFn: ({ signal }) => call('GET /plan/all', {}, signal) });

/** The polling interval for a payment that the bank has not decided. */
export const paymentPollMs = 3000;

/** Keyed by user, so that the next user never sees data of the previous one. */
export const getSubscriptionsKey = (userId: string | undefined) => ['subscriptions', userId];

/** The user's purchases. Disabled without a user. */
export const useSubscriptions = (userId: string | undefined) =>
  useQuery({
    queryKey: getSubscriptionsKey(userId),
    queryFn: async ({ signal }) => (await call('GET /plan-user/my-subscriptions', {}, signal)).data,
    enabled: userId !== undefined,
    // Slots change with every listing.
    staleTime: 0,
    retry: 1,
  });

/** A running, unpaused subscription with a free slot for a listing in that country, or any country if empty. */
export const findFreeSlot = (subscriptions: readonly Subscription[], country: CountryCode | ''): Subscription | undefined =>
  subscriptions.find(
    (one) => one.isActive && !one.isDisputed && !one.isRenewed && one.slotsUsed < one.slots && (country === '' || one.country === country),
  );

/** A payment as the browser stores it between visits. `open`: the provider may have it or not. `paid`: it bought the plan. */
export type CheckoutPayment = {
  paymentIntentId: string;
  userId: string;
  planId: string;
  country: CountryCode;
  state: 'open' | 'paid';
};
