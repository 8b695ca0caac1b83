import { Link } from 'react-router';
import { SavedCards } from '../../domains/payments/cards/saved-cards.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { AccountFrame } from './account-frame.tsx';
import type { Route } from './+types/account-payment';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payment', description: 'Your saved cards and tax invoices.', path: '/account/payment', noIndex: true });

export default function AccountPaymentPage() {
  return (
    <AccountFrame>
      <SavedCards />
      <p>
        What you have paid so far: <Link to="/account/receipts">your tax invoices</Link>.
      </p>
    </AccountFrame>
  );
}
