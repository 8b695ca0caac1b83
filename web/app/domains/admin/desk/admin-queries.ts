import { listAuditLog } from '@handwise/contract/admin/calls';
import {
  createDecision,
  decideAppeal,
  decideReport,
  getAdminOverview,
  listAppeals,
  listDecisions,
  listReports,
  undoDecision,
} from '@handwise/contract/admin/reports';
import { getUserForAdmin, searchListings, searchPayments, searchReviews, searchUsers } from '@handwise/contract/admin/search';
import type { Call, CallInput } from '@handwise/contract/call';
import { decideReferral, listReferrals } from '@handwise/contract/referrals/admin';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { getPaymentForAdmin, listDisputes, refundPayment } from '@handwise/contract/admin/payments';

type Input<C extends Call> = CallInput<C>;

// Always refetched, because other administrators act too. The previous page stays until the next has loaded.
const read = <C extends Call>(one: C, input: Input<C>) =>
  queryOptions({
    queryKey: ['admin', one.url, input],
    queryFn: ({ signal }) => call(one, input, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const overview = read(getAdminOverview, {});
export const reports = (query: Input<typeof listReports>['query']) => read(listReports, { query });
export const appeals = (query: Input<typeof listAppeals>['query']) => read(listAppeals, { query });
export const referrals = (query: Input<typeof listReferrals>['query']) => read(listReferrals, { query });
export const decisions = (query: Input<typeof listDecisions>['query']) => read(listDecisions, { query });
export const foundUsers = (query: Input<typeof searchUsers>['query']) => read(searchUsers, { query });
export const foundListings = (query: Input<typeof searchListings>['query']) => read(searchListings, { query });
export const foundReviews = (query: Input<typeof searchReviews>['query']) => read(searchReviews, { query });
export const foundPayments = (query: Input<typeof searchPayments>['query']) => read(searchPayments, { query });
export const auditLog = (query: Input<typeof listAuditLog>['query']) => read(listAuditLog, { query });
/** Never shows another user's data. */
export const userPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', getUserForAdmin.url, id],
    queryFn: ({ signal }) => call(getUserForAdmin, { params: { id } }, signal),
    staleTime: 0,
  });

/** An administrator's action. Afterwards every list is refetched, since it may affect each of them. */
function useDeed<C extends Call>(one: C) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<C>) => call(one, input),
    onSuccess: (answer) => toast((answer as { message: string }).message),
    // Also after a failure: another administrator may have acted first.
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export const useReportDecision = () => useDeed(decideReport);
export const useDecision = () => useDeed(createDecision);
export const useUndoing = () => useDeed(undoDecision);
export const useAnswer = () => useDeed(decideAppeal);
export const useReferralDecision = () => useDeed(decideReferral);

export const disputesQuery = (query: CallInput<typeof listDisputes>['query']) => read(listDisputes, { query });
/** Never shows data of another payment. */
export const paymentPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', getPaymentForAdmin.url, id],
    queryFn: ({ signal }) => call(getPaymentForAdmin, { params: { id } }, signal),
    staleTime: 0,
  });

export const useRefund = () => useDeed(refundPayment);
