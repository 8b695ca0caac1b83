import type { getAdminOverview } from '@handwise/contract/admin/reports';
import type { CallOutput } from '@handwise/contract/call';
import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import styles from './admin.module.css';
import { Scroll } from './scroll.tsx';
import { TableHead } from './search/table-head.tsx';
import { timeText } from './time-text.ts';

type Found = CallOutput<typeof getAdminOverview>['foundPayments'][number];

const returns = {
  pending: 'Refund in progress',
  succeeded: 'Refunded',
  failed: 'Refund failed: send it by hand',
  canceled: 'Refund cancelled: send it by hand',
} as const;
const isUnsent = ({ refundStatus }: Found) => refundStatus === 'failed' || refundStatus === 'canceled';

/** Payments that the database had lost, as after a restore from a backup, and what became of each. */
export const FoundPayments = ({ payments }: { payments: readonly Found[] }) => (
  <section className={styles.section}>
    <h2>Payments found at the provider</h2>
    <p>Our database did not know these payments, as after a restore from a backup. Each was restored or refunded.</p>
    <Scroll label="Payments found at the provider">
      <table className={styles.table}>
        <TableHead columns={['At the provider', { number: 'Amount' }, 'What happened', 'Why', 'Found']} />
        <tbody>
          {payments.map((found) => (
            <tr key={found.intentId}>
              <th scope="row" className={styles.hash}>
                {found.outcome === 'rebuilt' ? <Link to={paths.adminPayment(found.paymentId)}>{found.intentId}</Link> : found.intentId}
              </th>
              <td data-number>{money(found.amountMinor, found.currency)}</td>
              <td>
                <span className={styles.state} data-bad={isUnsent(found) || undefined}>
                  {found.refundStatus ? returns[found.refundStatus] : 'Restored'}
                </span>
              </td>
              <td className={styles.words}>{found.reason}</td>
              <td data-time>{timeText(found.foundAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </section>
);
