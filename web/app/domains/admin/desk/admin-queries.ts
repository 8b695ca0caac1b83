import type { CallAddress, InputOf } from '@handwise/contract/calls';
import { hashKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { toast } from '../../../ui/feedback/toast.tsx';

const withoutPage = ([name, address, input]: readonly unknown[]) =>
  hashKey([name, address, { ...(input as { query?: object }).query, page: '' }]);

// Always refetched, because other administrators act too. The previous page stays until the next has loaded; what another filter or search
// has found does not, because it would pass for the answer to this one.
const read = <A extends CallAddress>(address: A, input: InputOf<A>) =>
  queryOptions({
    queryKey: ['admin', address, input],
    queryFn: ({ signal }) => call(address, input, signal),
    placeholderData: (previous, query) =>
      query && withoutPage(query.queryKey) === withoutPage(['admin', address, input]) ? previous : undefined,
    staleTime: 0,
  });

export const overview = read('GET /admin/overview', {});
export const work = read('GET /admin/work', {});
export const reports = (query: InputOf<'GET /admin/reports'>['query']) => read('GET /admin/reports', { query });
export const appeals = (query: InputOf<'GET /admin/appeals'>['query']) => read('GET /admin/appeals', { query });
export const referrals = (query: InputOf<'GET /admin/referrals'>['query']) => read('GET /admin/referrals', { query });
export const decisions = (query: InputOf<'GET /admin/decisions'>['query']) => read('GET /admin/decisions', { query });
export const foundUsers = (query: InputOf<'GET /admin/users'>['query']) => read('GET /admin/users', { query });
export const foundListings = (query: InputOf<'GET /admin/listings'>['query']) => read('GET /admin/listings', { query });
export const foundReviews = (query: InputOf<'GET /admin/reviews'>['query']) => read('GET /admin/reviews', { query });
export const foundPayments = (query: InputOf<'GET /admin/payments'>['query']) => read('GET /admin/payments', { query });
export const auditLog = (query: InputOf<'GET /admin/audit'>['query']) => read('GET /admin/audit', { query });
/** Never shows another user's data. */
export const userPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', '/admin/users/:id', id],
    queryFn: ({ signal }) => call('GET /admin/users/:id', { params: { id } }, signal),
    staleTime: 0,
  });

/** An administrator's action. Afterwards every list is refetched, since it may affect each of them. */
function useAdminAction<A extends CallAddress>(address: A) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<A>) => call(address, input),
    onSuccess: (answer) => toast((answer as { message: string }).message),
    // Also after a failure, which is shown at once: another administrator may have acted first.
    onSettled: (_answer, error) => {
      const refetched = client.invalidateQueries({ queryKey: ['admin'] });
      return error ? undefined : refetched;
    },
  });
}

export const useReportDecision = () => useAdminAction('POST /admin/reports/:id/decide');
export const useDecision = () => useAdminAction('POST /admin/decisions');
export const useUndoing = () => useAdminAction('POST /admin/decisions/:id/undo');
export const useAppealDecision = () => useAdminAction('POST /admin/appeals/:id/decide');
export const useReferralDecision = () => useAdminAction('POST /admin/referrals/:id/decide');

export const disputesQuery = (query: InputOf<'GET /admin/payment/disputes'>['query']) => read('GET /admin/payment/disputes', { query });
/** Never shows data of another payment. */
export const paymentPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', '/admin/payment/:id', id],
    queryFn: ({ signal }) => call('GET /admin/payment/:id', { params: { id } }, signal),
    staleTime: 0,
  });

export const useRefund = () => useAdminAction('POST /admin/payment/:id/refund');
