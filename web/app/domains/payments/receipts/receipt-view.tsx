import { money } from '@handwise/contract/money';
import { brandName } from '@handwise/contract/payments/card-brands';
import { formatDate } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import type { Receipt } from '@handwise/contract/payments/calls';
import { markets } from '@handwise/contract/markets';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { download } from '../../../lib/download.ts';
import { site } from '@handwise/contract/site/site';
import { Button, ButtonLink } from '../../../ui/forms/button.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../../ui/feedback/reload-problem.tsx';
import { Logo } from '../../../ui/pictures/logo.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { ApiError } from '../../../lib/api-error.ts';
import { LoadingWords } from '../../../lib/loading-view.tsx';
import { ownReceipt } from '../payment-queries.ts';
import styles from './receipt-view.module.css';

/** One tax invoice as a sheet of paper, on the screen and printed. */
export function ReceiptView({ id }: { id: string }) {
  const receipt = useQuery(ownReceipt(id));
  const { error } = receipt;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState
        title="This receipt isn't here"
        drawing="signpost"
        level={1}
        action={<ButtonLink to={paths.receipts}>All tax invoices</ButtonLink>}
      >
        It may belong to another account.
      </EmptyState>
    );
  }
  if (error && !receipt.data) return <ErrorDisplay error={error} onRetry={() => void receipt.refetch()} level={1} />;
  if (!receipt.data) {
    return (
      <div className={styles.page} role="status">
        <LoadingWords />
        <Skeleton width="100%" height={640} radius="var(--radius)" />
      </div>
    );
  }
  return (
    <div className={styles.page}>
      <title>{`Tax invoice ${receipt.data.number} | ${site.name}`}</title>
      <div className={styles.problem}>
        <ReloadProblem query={receipt} />
      </div>
      <Actions receipt={receipt.data} />
      <Paper receipt={receipt.data} />
    </div>
  );
}

function Actions({ receipt }: { receipt: Receipt }) {
  const pdf = useMutation({
    mutationFn: () => download(`/api/receipt/${receipt._id}/pdf`, `${receipt.number}.pdf`),
    onError: (error) => toast(error.message, 'error'),
  });
  return (
    <div className={styles.actions}>
      <Link to={paths.receipts}>All tax invoices</Link>
      <Button kind="secondary" onClick={() => print()}>
        <IconPrinter size={20} stroke={1.75} aria-hidden="true" />
        Print
      </Button>
      <Button busy={pdf.isPending} onClick={() => pdf.mutate()}>
        <IconDownload size={20} stroke={1.75} aria-hidden="true" />
        Download PDF
      </Button>
    </div>
  );
}

function Paper({ receipt }: { receipt: Receipt }) {
  const { supplier, customer, card, currency, gstPercent, gstMinor, totalMinor, periodStartsAt, periodEndsAt, refundedAt, refundedMinor } =
    receipt;
  const date = (iso: string) => formatDate(iso, receipt.timeZone);
  return (
    <article className={`card ${styles.paper}`}>
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>Tax invoice</h1>
          <p className={styles.number}>{receipt.number}</p>
        </div>
        <Logo />
      </header>
      {refundedMinor > 0 && (
        <p className={styles.refunded}>
          {refundedAt ? `Refunded in full on ${date(refundedAt)}` : `${money(refundedMinor, currency)} of it refunded`}
        </p>
      )}
      <dl className={styles.parties}>
        <div>
          <dt>From</dt>
          <dd>
            <strong>{supplier.name}</strong>
            <span className={styles.address}>{supplier.address}</span>
            <span>
              {receipt.country === 'AU' ? 'ABN' : 'GST number'} {supplier.taxNumber}
            </span>
          </dd>
        </div>
        <div>
          <dt>To</dt>
          <dd>
            <strong>{customer.name}</strong>
            <span>{customer.email}</span>
            <span>{markets[receipt.country].name}</span>
          </dd>
        </div>
        <div>
          <dt>Date</dt>
          <dd>{date(receipt.issuedAt)}</dd>
        </div>
        <div>
          <dt>Paid with</dt>
          <dd>{card ? `${brandName(card.brand)} •••• ${card.last4}` : 'No card'}</dd>
        </div>
      </dl>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">Description</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              {receipt.description}
              {periodStartsAt && periodEndsAt && (
                <span className={styles.period}>
                  {date(periodStartsAt)} to {date(periodEndsAt)}
                </span>
              )}
            </td>
            <td>{money(totalMinor - gstMinor, currency)}</td>
          </tr>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">GST {gstPercent}%</th>
            <td>{money(gstMinor, currency)}</td>
          </tr>
          <tr className={styles.total}>
            <th scope="row">Total incl. GST</th>
            <td>{money(totalMinor, currency)}</td>
          </tr>
        </tfoot>
      </table>
    </article>
  );
}
