import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';

/** The member's saved cards, newest first. */
export const savedCards = queryOptions({
  queryKey: ['cards'],
  queryFn: async ({ signal }) => (await call('GET /credit/all', {}, signal)).data,
});

/** The member's tax invoices, newest first. */
export const ownReceipts = queryOptions({
  queryKey: ['receipts'],
  queryFn: async ({ signal }) => (await call('GET /receipt/all', {}, signal)).data,
});

export const ownReceipt = (id: string) =>
  queryOptions({
    queryKey: ['receipts', id],
    queryFn: ({ signal }) => call('GET /receipt/:id', { params: { id } }, signal),
  });

/** The member's refunds, newest first. */
export const ownRefunds = queryOptions({
  queryKey: ['refunds'],
  queryFn: async ({ signal }) => (await call('GET /refund/all', {}, signal)).data,
});

/** How this installation takes payments. It does not change while the site runs. */
export const paymentConfig = queryOptions({
  queryKey: ['payment-config'],
  queryFn: async ({ signal }) => (await call('GET /config', {}, signal)).payments,
  staleTime: Number.POSITIVE_INFINITY,
});

export type PaymentConfig = Awaited<ReturnType<NonNullable<typeof paymentConfig.queryFn>>>;
