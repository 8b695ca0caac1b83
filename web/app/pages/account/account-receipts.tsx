import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { ReceiptList, RefundList } from '../../domains/payments/receipts/receipt-list.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import styles from './account-receipts.module.css';
import type { Route } from './+types/account-receipts';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Tax invoices', description: 'What you have paid for your plans.', path: paths.receipts, noIndex: true });

export default function AccountReceiptsPage() {
  return (
    <>
      <div className={styles.head}>
        <h2>Tax invoices</h2>
        <Link to={paths.cards}>Your saved cards</Link>
      </div>
      <ReceiptList />
      <RefundList />
    </>
  );
}
