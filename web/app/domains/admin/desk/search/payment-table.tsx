import { money } from '@handwise/contract/money';
import type { FoundPayment } from '@handwise/contract/admin-search';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import styles from '../admin.module.css';
import { timeText } from '../time-text.ts';
import { TableHead } from './table-head.tsx';

const purposes = { listing: 'New plan', plan_change: 'Change of plan', reactivation: 'Reactivation' } as const;
const states = { open: 'Open', succeeded: 'Paid', failed: 'Failed', canceled: 'Given up' } as const;
const refunds = { pending: 'Refund under way', succeeded: 'Refunded', failed: 'Refund failed', canceled: 'Refund cancelled' } as const;

export const PaymentTable = ({ payments }: { payments: readonly FoundPayment[] }) => (
  <table className={styles.table}>
    <TableHead columns={['Payer', 'For', { number: 'Amount' }, 'State', 'Invoice', 'When', 'Intent']} />
    <tbody>
      {payments.map((payment) => (
        <tr key={payment._id}>
          <th scope="row">
            <Link to={paths.adminUser(payment.payer._id)}>{payment.payer.name}</Link>
          </th>
          <td>{purposes[payment.purpose]}</td>
          <td data-number>{money(payment.amountMinor, payment.currency === 'AUD' ? 'AUD' : 'NZD')}</td>
          <td>
            <span className={styles.state} data-bad={payment.owedMinor > 0 || undefined}>
              {payment.refund ? refunds[payment.refund.status] : states[payment.status]}
            </span>
            {payment.refund && (
              <span className={styles.change}>
                {money(payment.refund.amountMinor, payment.currency === 'AUD' ? 'AUD' : 'NZD')}: {payment.refund.reason}
              </span>
            )}
          </td>
          <td>{payment.receiptNumber ?? '–'}</td>
          <td data-time>{timeText(payment.createdAt)}</td>
          <td className={styles.hash}>{payment.intentId ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
