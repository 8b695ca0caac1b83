import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import styles from '../desk/admin.module.css';
import { TableHead } from '../desk/search/table-head.tsx';
import { timeText } from '../desk/time-text.ts';
import { disputeStates, isOpen, plain } from './money-words.ts';

/** The payer, in tables about several payments. */
type Payer = { payer?: { name: string } };
type Dispute = PaymentLedger['disputes'][number] & Payer;
type Warning = PaymentLedger['warnings'][number] & Payer;

const About = ({ paymentId, payer, children }: { paymentId: string; children: string } & Payer) => (
  <th scope="row">
    {payer ? (
      <>
        <Link to={paths.adminPayment(paymentId)}>{payer.name}</Link>
        <br />
        <span className="muted">{children}</span>
      </>
    ) : (
      children
    )}
  </th>
);

/** Disputes, and the deadlines of their evidence. */
export const DisputeTable = ({ disputes }: { disputes: readonly Dispute[] }) => (
  <table className={styles.table}>
    <TableHead columns={['Dispute', { number: 'Amount' }, 'State', 'Answer by', 'Opened', 'At the provider']} />
    <tbody>
      {disputes.map((dispute) => (
        <tr key={dispute._id}>
          <About {...dispute}>{plain(dispute.reason)}</About>
          <td data-number>{money(dispute.amountMinor, dispute.currency)}</td>
          <td>
            <span className={styles.state} data-bad={isOpen(dispute) || undefined}>
              {disputeStates[dispute.status]}
            </span>
          </td>
          <td data-time>{dispute.dueBy ? timeText(dispute.dueBy) : '–'}</td>
          <td data-time>{timeText(dispute.openedAt)}</td>
          <td className={styles.hash}>{dispute.providerId}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** Fraud warnings, and whether a refund can still prevent a dispute. */
export const WarningTable = ({ warnings }: { warnings: readonly Warning[] }) => (
  <table className={styles.table}>
    <TableHead columns={['Warning', { number: 'Payment' }, 'What can be done', 'Warned', 'At the provider']} />
    <tbody>
      {warnings.map((warning) => (
        <tr key={warning._id}>
          <About {...warning}>{plain(warning.fraudType)}</About>
          <td data-number>{money(warning.amountMinor, warning.currency)}</td>
          <td>{warning.actionable ? 'Refund it as fraud, or leave it' : 'Nothing more'}</td>
          <td data-time>{timeText(warning.warnedAt)}</td>
          <td className={styles.hash}>{warning.providerId}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
