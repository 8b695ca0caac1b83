import { money } from '@handwise/contract/money';
import { formatDate } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { useQuery, useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { LoadingWords } from '../../../lib/loading-view.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../../ui/feedback/reload-problem.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { ownReceipts, ownRefunds } from '../payment-queries.ts';
import styles from './receipt-list.module.css';
import { describeRefund } from '@handwise/contract/payments/refund-words';
import type { OwnRefund } from '@handwise/contract/payments/refunds';
import { IconDownload } from '@tabler/icons-react';
import { download } from '../../../lib/download.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';

/** The member's tax invoices, newest first, each linked to its page. */
export function ReceiptList() {
  const receipts = useQuery(ownReceipts);
  if (receipts.isError && !receipts.data) return <ErrorDisplay error={receipts.error} onRetry={() => void receipts.refetch()} />;
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
    return (
      <>
        <ReloadProblem query={receipts} />
        <EmptyState title="No tax invoices yet">Each payment for a plan gets one. You will find it here and in your email.</EmptyState>
      </>
    );
  }
  return (
    <>
      <ReloadProblem query={receipts} />
      <ul className={styles.list}>
        {receipts.data.map(({ _id, number, issuedAt, timeZone, description, totalMinor, currency, refundedAt, refundedMinor }) => (
          <li key={_id} className={`card card-lift ${styles.receipt}`}>
            <div className={styles.facts}>
              <Link className={styles.link} to={paths.receipt(_id)}>
                {number}
              </Link>
              <p className={styles.detail}>{description}</p>
            </div>
            <p className={styles.detail}>{formatDate(issuedAt, timeZone)}</p>
            <p className={styles.total}>
              {refundedMinor > 0 && (
                <span className={styles.refunded}>{refundedAt ? 'Refunded' : `${money(refundedMinor, currency)} refunded`}</span>
              )}
              {money(totalMinor, currency)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

const states = { pending: 'On its way', succeeded: 'Refunded', failed: 'Did not arrive', canceled: 'Did not arrive' } as const;

/** The member's refunds, newest first: state, effect and adjustment note. Nothing if there are none. */
export function RefundList() {
  const refunds = useQuery(ownRefunds);
  if (refunds.isError && !refunds.data) return <ErrorDisplay error={refunds.error} onRetry={() => void refunds.refetch()} />;
  if (!refunds.data || refunds.data.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2>Refunds</h2>
      <ReloadProblem query={refunds} />
      <ul className={styles.refundListList}>
        {refunds.data.map((refund) => (
          <Refund key={refund._id} refund={refund} />
        ))}
      </ul>
    </section>
  );
}

function Refund({ refund }: { refund: OwnRefund }) {
  const { amountMinor, currency, timeZone, status, isOwed, reason, createdAt, refundedAt, endedPlan, payment, adjustment } = refund;
  const date = (iso: string) => formatDate(iso, timeZone);
  return (
    <li className={`card ${styles.refund}`}>
      <div className={styles.head}>
        <strong className={styles.sum}>{money(amountMinor, currency)}</strong>
        <span className={styles.state} data-state={isOwed ? 'owed' : status}>
          {states[status]}
        </span>
        <span className={styles.refundListDetail}>{date(refundedAt ?? createdAt)}</span>
      </div>
      <p>{reason}</p>
      <p className={styles.refundListDetail}>{describeRefund(refund)}</p>
      <p className={styles.refundListDetail}>
        Of your payment of {money(payment.amountMinor, currency)} on {date(payment.paidAt)}
        {payment.receipt && (
          <>
            , tax invoice <Link to={paths.receipt(payment.receipt._id)}>{payment.receipt.number}</Link>
          </>
        )}
        .
      </p>
      {endedPlan && (
        <p className={styles.refundListDetail}>
          Nothing of this payment pays for its plan any more, so the plan has ended. Your listings are kept:{' '}
          <Link to={paths.ownListings}>bring them back</Link> with a new plan.
        </p>
      )}
      {adjustment && <Note note={adjustment} />}
    </li>
  );
}

function Note({ note }: { note: NonNullable<OwnRefund['adjustment']> }) {
  const pdf = useMutation({
    mutationFn: () => download(`/api/adjustment-note/${note._id}/pdf`, `${note.number}.pdf`),
    onError: (error) => toast(error.message, 'error'),
  });
  return (
    <Button kind="secondary" busy={pdf.isPending} onClick={() => pdf.mutate()}>
      <IconDownload size={20} stroke={1.75} aria-hidden="true" />
      Adjustment note {note.number}
    </Button>
  );
}
