import { getPaymentForAdmin, listDisputes, refundPayment } from '@handwise/contract/admin/payments';
import type { CallInput } from '@handwise/contract/call';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { read, useDeed } from '../desk/admin-queries.ts';

export const disputesOf = (query: CallInput<typeof listDisputes>['query']) => read(listDisputes, { query });
/** Never shows data of another payment. */
export const paymentPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', getPaymentForAdmin.url, id],
    queryFn: ({ signal }) => call(getPaymentForAdmin, { params: { id } }, signal),
    staleTime: 0,
  });

export const useRefund = () => useDeed(refundPayment);
