import { money } from '@handwise/contract/money';
import type { FoundPayment } from '@handwise/contract/admin/search';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import styles from '../admin.module.css';
import { timeText } from '../time-text.ts';
import { paymentStates, purposes, refundStates } from '../../money/money-words.ts';
import { TableHead } from './table-head.tsx';

export const PaymentTable = ({ payments }: { payments: readonly FoundPayment[] }) => (
  <table className={styles.table}>
    <TableHead columns={['Payer', 'For', { number: 'Amount' }, 'State', 'Invoice', 'Started', 'Payment intent']} />
    <tbody>
      {payments.map((payment) => (
        <tr key={payment._id}>
          <th scope="row">
            <Link to={paths.adminUser(payment.payer._id)}>{payment.payer.name}</Link>
          </th>
          <td>
            <Link to={paths.adminPayment(payment._id)}>
              {purposes[payment.purpose]}
              <span className="visually-hidden"> of {timeText(payment.createdAt)}</span>
            </Link>
          </td>
          <td data-number>{money(payment.amountMinor, payment.currency)}</td>
          <td>
            <span className={styles.state} data-bad={payment.owedMinor > 0 || undefined}>
              {payment.refund ? refundStates[payment.refund.status] : paymentStates[payment.status]}
            </span>
            {payment.isDisputed && (
              <>
                {' '}
                <span className={styles.state} data-bad>
                  Disputed
                </span>
              </>
            )}
            {payment.refund && (
              <span className={styles.change}>
                {money(payment.refund.amountMinor, payment.currency)}: {payment.refund.reason}
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
