import { paths } from '@handwise/contract/paths';
import { PaymentPage } from '../../domains/admin/money/payment-page.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-payment';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'A payment',
    description: 'One payment, its refunds and disputes.',
    path: paths.adminPayment(params.id),
    noIndex: true,
  });

export default function AdminPaymentPage({ params }: Route.ComponentProps) {
  return <PaymentPage key={params.id} id={params.id} />;
}
