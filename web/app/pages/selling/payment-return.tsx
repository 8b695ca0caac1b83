import { paths } from '@handwise/contract/paths';
import { PaymentReturned } from '../../domains/plans/payment-return.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/payment-return';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your payment',
    description: 'What became of your payment.',
    path: paths.paymentReturn,
    noIndex: true,
  });

export default function PaymentReturnPage() {
  return <PaymentReturned />;
}
