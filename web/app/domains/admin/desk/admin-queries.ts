import type { listAuditLogCall } from '@handwise/contract/admin/calls';
import type {
  createDecisionCall,
  decideAppealCall,
  decideReportCall,
  getAdminOverviewCall,
  listAppealsCall,
  listDecisionsCall,
  listReportsCall,
  undoDecisionCall,
} from '@handwise/contract/admin/reports';
import type {
  getUserForAdminCall,
  searchListingsCall,
  searchPaymentsCall,
  searchReviewsCall,
  searchUsersCall,
} from '@handwise/contract/admin/search';
import type { listWorkCall } from '@handwise/contract/admin/work';
import type { Call, CallInput } from '@handwise/contract/call';
import type { decideReferralCall, listReferralsCall } from '@handwise/contract/referrals/admin';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type CallAddress } from '../../../lib/api.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import type { getPaymentForAdminCall, listDisputesCall, refundPaymentCall } from '@handwise/contract/admin/payments';

type Input<C extends Call> = CallInput<C>;

// Always refetched, because other administrators act too. The previous page stays until the next has loaded.
const read = <C extends Call>(one: CallAddress<C>, input: Input<C>) =>
  queryOptions({
    queryKey: ['admin', one.url, input],
    queryFn: ({ signal }) => call(one, input, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const overview = read<typeof getAdminOverviewCall>({ method: 'GET', url: '/admin/overview' }, {});
export const work = read<typeof listWorkCall>({ method: 'GET', url: '/admin/work' }, {});
export const reports = (query: Input<typeof listReportsCall>['query']) =>
  read<typeof listReportsCall>({ method: 'GET', url: '/admin/reports' }, { query });
export const appeals = (query: Input<typeof listAppealsCall>['query']) =>
  read<typeof listAppealsCall>({ method: 'GET', url: '/admin/appeals' }, { query });
export const referrals = (query: Input<typeof listReferralsCall>['query']) =>
  read<typeof listReferralsCall>({ method: 'GET', url: '/admin/referrals' }, { query });
export const decisions = (query: Input<typeof listDecisionsCall>['query']) =>
  read<typeof listDecisionsCall>({ method: 'GET', url: '/admin/decisions' }, { query });
export const foundUsers = (query: Input<typeof searchUsersCall>['query']) =>
  read<typeof searchUsersCall>({ method: 'GET', url: '/admin/users' }, { query });
export const foundListings = (query: Input<typeof searchListingsCall>['query']) =>
  read<typeof searchListingsCall>({ method: 'GET', url: '/admin/listings' }, { query });
export const foundReviews = (query: Input<typeof searchReviewsCall>['query']) =>
  read<typeof searchReviewsCall>({ method: 'GET', url: '/admin/reviews' }, { query });
export const foundPayments = (query: Input<typeof searchPaymentsCall>['query']) =>
  read<typeof searchPaymentsCall>({ method: 'GET', url: '/admin/payments' }, { query });
export const auditLog = (query: Input<typeof listAuditLogCall>['query']) =>
  read<typeof listAuditLogCall>({ method: 'GET', url: '/admin/audit' }, { query });
/** Never shows another user's data. */
export const userPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', '/admin/users/:id', id],
    queryFn: ({ signal }) => call<typeof getUserForAdminCall>({ method: 'GET', url: '/admin/users/:id' }, { params: { id } }, signal),
    staleTime: 0,
  });

/** An administrator's action. Afterwards every list is refetched, since it may affect each of them. */
function useAdminAction<C extends Call>(one: CallAddress<C>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<C>) => call(one, input),
    onSuccess: (answer) => toast((answer as { message: string }).message),
    // Also after a failure: another administrator may have acted first.
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  });
}

export const useReportDecision = () => useAdminAction<typeof decideReportCall>({ method: 'POST', url: '/admin/reports/:id/decide' });
export const useDecision = () => useAdminAction<typeof createDecisionCall>({ method: 'POST', url: '/admin/decisions' });
export const useUndoing = () => useAdminAction<typeof undoDecisionCall>({ method: 'POST', url: '/admin/decisions/:id/undo' });
export const useAppealDecision = () => useAdminAction<typeof decideAppealCall>({ method: 'POST', url: '/admin/appeals/:id/decide' });
export const useReferralDecision = () => useAdminAction<typeof decideReferralCall>({ method: 'POST', url: '/admin/referrals/:id/decide' });

export const disputesQuery = (query: CallInput<typeof listDisputesCall>['query']) =>
  read<typeof listDisputesCall>({ method: 'GET', url: '/admin/payment/disputes' }, { query });
/** Never shows data of another payment. */
export const paymentPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', '/admin/payment/:id', id],
    queryFn: ({ signal }) => call<typeof getPaymentForAdminCall>({ method: 'GET', url: '/admin/payment/:id' }, { params: { id } }, signal),
    staleTime: 0,
  });

export const useRefund = () => useAdminAction<typeof refundPaymentCall>({ method: 'POST', url: '/admin/payment/:id/refund' });
