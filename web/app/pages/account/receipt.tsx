import { ReceiptView } from '../../domains/payments/receipts/receipt-view.tsx';
import { RequireMember } from '../../lib/guard.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { Queries } from '../../lib/queries.tsx';
import { Container } from '../../ui/page/page.tsx';
import type { Route } from './+types/receipt';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Tax invoice',
    description: 'A tax invoice for a plan.',
    path: `/account/receipts/${params.receiptId}`,
    noIndex: true,
  });

export default function ReceiptPage({ params }: Route.ComponentProps) {
  return (
    <RequireMember>
      <Queries>
        <Container>
          <ReceiptView id={params.receiptId} />
        </Container>
      </Queries>
    </RequireMember>
  );
}
