import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { SavedCards } from '../../domains/payments/cards/saved-cards.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/account-payment';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment', description: 'Your saved cards and tax invoices.', path: paths.cards, noIndex: true });

export default function AccountPaymentPage() {
  return (
    <>
      <SavedCards />
      <p>
        What you have paid so far: <Link to={paths.receipts}>your tax invoices</Link>.
      </p>
    </>
  );
}
