import styles from './review-ledger.module.css';
import type { LedgerView } from './review-ledger-view.ts';

const Cells = ({ row }: { row: LedgerView['all'] }) => (
  <>
    <td>{row.received}</td>
    <td>{row.published}</td>
    <td>
      {row.removed}
      {row.reasons.map((reason) => (
        <span key={reason} className={styles.reason}>
          {reason}
        </span>
      ))}
    </td>
  </>
);

/** Received, published, removed and why, by month. */
export const ReviewLedger = ({ ledger }: { ledger: LedgerView }) => (
  <table className={styles.ledger}>
    <caption className="visually-hidden">Reviews by the month in which they were written</caption>
    <thead>
      <tr>
        <th scope="col">Month</th>
        <th scope="col">Received</th>
        <th scope="col">Published</th>
        <th scope="col">Removed</th>
      </tr>
    </thead>
    <tbody>
      {ledger.months.map((row) => (
        <tr key={row.month}>
          <th scope="row">{row.name}</th>
          <Cells row={row} />
        </tr>
      ))}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">{ledger.all.name}</th>
        <Cells row={ledger.all} />
      </tr>
    </tfoot>
  </table>
);
