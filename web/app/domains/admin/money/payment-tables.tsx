import { adminPaths } from '@handwise/contract/admin/paths';
import type { PaymentLedger } from '@handwise/contract/admin/payments';
import { money } from '@handwise/contract/money';
import { describeRefundFailure } from '@handwise/contract/payments/refund-words';
import { Link } from 'react-router';
import styles from '../desk/admin.module.css';
import { TableHead, formatTime } from '../desk/list-parts.tsx';
import { refundStates, refundSources, disputeStates, isOpen, describeCode } from './money-words.ts';

type Refunds = PaymentLedger['refunds'];

/** Refunds, oldest first: state, method, reason and administrator. */
export const RefundTable = ({ refunds, currency }: { refunds: Refunds; currency: string }) => (
  <table className={styles.table}>
    <TableHead columns={['Reason', { number: 'Amount' }, 'Status', 'Sent', 'Requested by', 'Requested', 'Arrived', 'At the provider']} />
    <tbody>
      {refunds.map((refund) => (
        <tr key={refund._id}>
          <th scope="row" className={styles.words}>
            {refund.reason}
            <br />
            <Link to={`${adminPaths.audit}?subject=${refund._id}`}>
              In the audit log<span className="visually-hidden">: {refund.reason}</span>
            </Link>
          </th>
          <td data-number>{money(refund.amountMinor, currency)}</td>
          <td>
            <span className={styles.state} data-bad={refund.status === 'failed' || undefined}>
              {refundStates[refund.status]}
            </span>
            {refund.failure && <span className={styles.change}>{describeRefundFailure(refund.failure)}</span>}
          </td>
          <td>{refundSources[refund.source]}</td>
          <td>{refund.askedByName ?? '–'}</td>
          <td data-time>{formatTime(refund.createdAt)}</td>
          <td data-time>{refund.refundedAt ? formatTime(refund.refundedAt) : '–'}</td>
          <td className={styles.hash}>{refund.providerId ?? '–'}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

type PaperTableProps = Pick<PaymentLedger, 'invoice' | 'notes' | 'currency'>;

/** The tax invoice and its credit notes. */
export const PaperTable = ({ invoice, notes, currency }: PaperTableProps) => (
  <table className={styles.table}>
    <TableHead columns={['Number', 'Document', { number: 'Total' }, { number: 'Incl. GST of' }, 'Issued']} />
    <tbody>
      {[
        ...(invoice ? [{ ...invoice, name: 'Tax invoice', sign: 1 }] : []),
        ...notes.map((note) => ({ ...note, name: 'Adjustment note', sign: -1 })),
      ].map(({ number, name, sign, totalMinor, gstMinor, issuedAt }) => (
        <tr key={number}>
          <th scope="row">{number}</th>
          <td>{name}</td>
          <td data-number>{signed(sign * totalMinor, currency)}</td>
          <td data-number>{signed(sign * gstMinor, currency)}</td>
          <td data-time>{formatTime(issuedAt)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const signed = (minor: number, currency: string) => (minor < 0 ? `−${money(-minor, currency)}` : money(minor, currency));

/** The provider's events about a payment, newest first. */
export const EventTable = ({ events }: Pick<PaymentLedger, 'events'>) => (
  <table className={styles.table}>
    <TableHead columns={['Message', 'Sent', 'Received', 'At the provider']} />
    <tbody>
      {events.map((event) => (
        <tr key={event.id}>
          <th scope="row">{event.type}</th>
          <td data-time>{formatTime(event.createdAt)}</td>
          <td data-time>{formatTime(event.receivedAt)}</td>
          <td className={styles.hash}>{event.id}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The payer, in tables about several payments. */
type Payer = { payer?: { name: string } };
type Dispute = PaymentLedger['disputes'][number] & Payer;
type Warning = PaymentLedger['warnings'][number] & Payer;

const About = ({ paymentId, payer, children }: { paymentId: string; children: string } & Payer) => (
  <th scope="row">
    {payer ? (
      <>
        <Link to={adminPaths.payment(paymentId)}>{payer.name}</Link>
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
          <About {...dispute}>{describeCode(dispute.reason)}</About>
          <td data-number>{money(dispute.amountMinor, dispute.currency)}</td>
          <td>
            <span className={styles.state} data-bad={isOpen(dispute) || undefined}>
              {disputeStates[dispute.status]}
            </span>
          </td>
          <td data-time>{dispute.dueBy ? formatTime(dispute.dueBy) : '–'}</td>
          <td data-time>{formatTime(dispute.openedAt)}</td>
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
          <About {...warning}>{describeCode(warning.fraudType)}</About>
          <td data-number>{money(warning.amountMinor, warning.currency)}</td>
          <td>{warning.actionable ? 'Refund it as fraud, or leave it' : 'Nothing more'}</td>
          <td data-time>{formatTime(warning.warnedAt)}</td>
          <td className={styles.hash}>{warning.providerId}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
