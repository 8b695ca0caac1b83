import { paths } from '@handwise/contract/paths';
import { ReceiptView } from '../../domains/payments/receipts/receipt-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/receipt';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Tax invoice',
    description: 'A tax invoice for a plan.',
    path: paths.receipt(params.receiptId),
    noIndex: true,
  });

export default function ReceiptPage({ params }: Route.ComponentProps) {
  return <ReceiptView id={params.receiptId} />;
}
