import { money } from '@handwise/contract/money';
import { dateText } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { LoadingWords } from '../../../lib/loading-view.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ownReceipts } from '../payment-queries.ts';
import styles from './receipt-list.module.css';

/** One's tax invoices, the newest first, each leading to its page. */
export function ReceiptList() {
  const receipts = useQuery(ownReceipts);
  if (receipts.isError) return <ErrorDisplay error={receipts.error} onRetry={() => void receipts.refetch()} />;
  if (!receipts.data) {
    return (
      <div className={styles.list} role="status">
        <LoadingWords />
        {Array.from({ length: 3 }, (_, index) => (
          <Skeleton key={index} width="100%" height={76} radius="var(--radius)" />
        ))}
      </div>
    );
  }
  if (receipts.data.length === 0) {
    return <EmptyState title="No tax invoices yet">Each payment for a plan gets one. You will find it here and in your email.</EmptyState>;
  }
  return (
    <ul className={styles.list}>
      {receipts.data.map(({ _id, number, issuedAt, timeZone, description, totalMinor, currency, refundedAt, refundedMinor }) => (
        <li key={_id} className={`card card-lift ${styles.receipt}`}>
          <div className={styles.facts}>
            <Link className={styles.link} to={paths.receipt(_id)}>
              {number}
            </Link>
            <p className={styles.detail}>{description}</p>
          </div>
          <p className={styles.detail}>{dateText(issuedAt, timeZone)}</p>
          <p className={styles.total}>
            {refundedMinor > 0 && (
              <span className={styles.refunded}>{refundedAt ? 'Refunded' : `${money(refundedMinor, currency)} refunded`}</span>
            )}
            {money(totalMinor, currency)}
          </p>
        </li>
      ))}
    </ul>
  );
}
