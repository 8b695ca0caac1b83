import { paths } from '@handwise/contract/paths';
import { PaymentSearch } from '../../domains/admin/desk/search/payment-search.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-payments';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payments', description: 'Find a payment.', path: paths.adminPayments, noIndex: true });

export default function AdminPaymentsPage() {
  return (
    <>
      <h1>Payments</h1>
      <PaymentSearch />
    </>
  );
}
