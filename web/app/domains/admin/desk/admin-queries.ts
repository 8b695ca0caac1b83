import type { listAuditLog } from '@handwise/contract/admin/calls';
import type {
  createDecision,
  decideAppeal,
  decideReport,
  getAdminOverview,
  listAppeals,
  listDecisions,
  listReports,
  undoDecision,
} from '@handwise/contract/admin/reports';
import type { getUserForAdmin, searchListings, searchPayments, searchReviews, searchUsers } from '@handwise/contract/admin/search';
import type { listWork } from '@handwise/contract/admin/work';
import type { Call, CallInput } from '@handwise/contract/call';
import type { decideReferral, listReferrals } from '@handwise/contract/referrals/admin';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call, type CallAddress } from '../../../lib/api.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import type { getPaymentForAdmin, listDisputes, refundPayment } from '@handwise/contract/admin/payments';

type Input<C extends Call> = CallInput<C>;

// Always refetched, because other administrators act too. The previous page stays until the next has loaded.
const read = <C extends Call>(one: CallAddress<C>, input: Input<C>) =>
  queryOptions({
    queryKey: ['admin', one.url, input],
    queryFn: ({ signal }) => call(one, input, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

export const overview = read<typeof getAdminOverview>({ method: 'GET', url: '/admin/overview' }, {});
export const work = read<typeof listWork>({ method: 'GET', url: '/admin/work' }, {});
export const reports = (query: Input<typeof listReports>['query']) =>
  read<typeof listReports>({ method: 'GET', url: '/admin/reports' }, { query });
export const appeals = (query: Input<typeof listAppeals>['query']) =>
  read<typeof listAppeals>({ method: 'GET', url: '/admin/appeals' }, { query });
export const referrals = (query: Input<typeof listReferrals>['query']) =>
  read<typeof listReferrals>({ method: 'GET', url: '/admin/referrals' }, { query });
export const decisions = (query: Input<typeof listDecisions>['query']) =>
  read<typeof listDecisions>({ method: 'GET', url: '/admin/decisions' }, { query });
export const foundUsers = (query: Input<typeof searchUsers>['query']) =>
  read<typeof searchUsers>({ method: 'GET', url: '/admin/users' }, { query });
export const foundListings = (query: Input<typeof searchListings>['query']) =>
  read<typeof searchListings>({ method: 'GET', url: '/admin/listings' }, { query });
export const foundReviews = (query: Input<typeof searchReviews>['query']) =>
  read<typeof searchReviews>({ method: 'GET', url: '/admin/reviews' }, { query });
export const foundPayments = (query: Input<typeof searchPayments>['query']) =>
  read<typeof searchPayments>({ method: 'GET', url: '/admin/payments' }, { query });
export const auditLog = (query: Input<typeof listAuditLog>['query']) =>
  read<typeof listAuditLog>({ method: 'GET', url: '/admin/audit' }, { query });
/** Never shows another user's data. */
export const userPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', '/admin/users/:id', id],
    queryFn: ({ signal }) => call<typeof getUserForAdmin>({ method: 'GET', url: '/admin/users/:id' }, { params: { id } }, signal),
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

export const useReportDecision = () => useAdminAction<typeof decideReport>({ method: 'POST', url: '/admin/reports/:id/decide' });
export const useDecision = () => useAdminAction<typeof createDecision>({ method: 'POST', url: '/admin/decisions' });
export const useUndoing = () => useAdminAction<typeof undoDecision>({ method: 'POST', url: '/admin/decisions/:id/undo' });
export const useAppealDecision = () => useAdminAction<typeof decideAppeal>({ method: 'POST', url: '/admin/appeals/:id/decide' });
export const useReferralDecision = () => useAdminAction<typeof decideReferral>({ method: 'POST', url: '/admin/referrals/:id/decide' });

export const disputesQuery = (query: CallInput<typeof listDisputes>['query']) =>
  read<typeof listDisputes>({ method: 'GET', url: '/admin/payment/disputes' }, { query });
/** Never shows data of another payment. */
export const paymentPage = (id: string) =>
  queryOptions({
    queryKey: ['admin', '/admin/payment/:id', id],
    queryFn: ({ signal }) => call<typeof getPaymentForAdmin>({ method: 'GET', url: '/admin/payment/:id' }, { params: { id } }, signal),
    staleTime: 0,
  });

export const useRefund = () => useAdminAction<typeof refundPayment>({ method: 'POST', url: '/admin/payment/:id/refund' });
