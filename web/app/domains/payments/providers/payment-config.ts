import type { getConfig } from '@handwise/contract/site/calls';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';

/** How this installation takes payments. It does not change while the site runs. */
export const paymentConfig = queryOptions({
  queryKey: ['payment-config'],
  queryFn: async ({ signal }) => (await call<typeof getConfig>({ method: 'GET', url: '/config' }, {}, signal)).payments,
  staleTime: Number.POSITIVE_INFINITY,
});

export type PaymentConfig = Awaited<ReturnType<NonNullable<typeof paymentConfig.queryFn>>>;
