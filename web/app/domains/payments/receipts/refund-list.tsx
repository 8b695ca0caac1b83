import { money } from '@handwise/contract/money';
import { dateText } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { refundText } from '@handwise/contract/payments/refund-words';
import type { OwnRefund } from '@handwise/contract/payments/refunds';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { download } from '../../../lib/download.ts';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { ownRefunds } from '../payment-queries.ts';
import styles from './refund-list.module.css';

const states = { pending: 'On its way', succeeded: 'Refunded', failed: 'Did not arrive', canceled: 'Did not arrive' } as const;

/** One's refunds, the newest first: how each stands, what it ended, and the note that corrects the invoice. Nothing where there are none. */
export function RefundList() {
  const refunds = useQuery(ownRefunds);
  if (refunds.isError) return <ErrorDisplay error={refunds.error} onRetry={() => void refunds.refetch()} />;
  if (!refunds.data || refunds.data.length === 0) return null;
  return (
    <section className={styles.section}>
      <h2>Refunds</h2>
      <ul className={styles.list}>
        {refunds.data.map((refund) => (
          <Refund key={refund._id} refund={refund} />
        ))}
      </ul>
    </section>
  );
}

function Refund({ refund }: { refund: OwnRefund }) {
  const { amountMinor, currency, timeZone, status, isOwed, reason, createdAt, refundedAt, endedPlan, payment, adjustment } = refund;
  const date = (iso: string) => dateText(iso, timeZone);
  return (
    <li className={`card ${styles.refund}`}>
      <div className={styles.head}>
        <strong className={styles.sum}>{money(amountMinor, currency)}</strong>
        <span className={styles.state} data-state={isOwed ? 'owed' : status}>
          {states[status]}
        </span>
        <span className={styles.detail}>{date(refundedAt ?? createdAt)}</span>
      </div>
      <p>{reason}</p>
      <p className={styles.detail}>{refundText(refund)}</p>
      <p className={styles.detail}>
        Of your payment of {money(payment.amountMinor, currency)} on {date(payment.paidAt)}
        {payment.receipt && (
          <>
            , tax invoice <Link to={paths.receipt(payment.receipt._id)}>{payment.receipt.number}</Link>
          </>
        )}
        .
      </p>
      {endedPlan && (
        <p className={styles.detail}>
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
