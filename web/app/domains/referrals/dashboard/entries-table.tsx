import { dateText } from '@handwise/contract/dates';
import { type DrawEntry, drawTimeZone } from '@handwise/contract/tickets';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { useFirstRows } from '../first-rows.tsx';
import { entryState, sourceName, voidText } from '../referral-view.ts';
import { StateChip } from '../state-chip.tsx';
import styles from './table.module.css';

/** Each entry of a draw: what it is for, how many tickets, and until when. */
export function EntriesTable({ entries }: { entries: readonly DrawEntry[] }) {
  const { shown, more } = useFirstRows(entries, 'entries');
  if (entries.length === 0) {
    return <EmptyState title="No Entries Yet">The tickets you earn are shown here, each with its draw.</EmptyState>;
  }
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Date</th>
            <th scope="col">Status</th>
            <th scope="col">Tickets</th>
            <th scope="col">Expiry</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((entry) => (
            <tr key={entry.id}>
              <th scope="row">
                <strong>{sourceName(entry.source)}</strong>
              </th>
              <td data-name="Date" className={styles.day}>
                {dateText(entry.createdAt, drawTimeZone)}
              </td>
              <td data-name="Status">
                <span>
                  <StateChip state={entryState(entry)} />
                  {entry.voidReason && <span className={styles.note}>{voidText(entry.voidReason)}</span>}
                </span>
              </td>
              <td data-name="Tickets" className={styles.number}>
                {entry.tickets}
              </td>
              <td data-name="Expiry" className={styles.day}>
                {entry.expiryDate ? dateText(entry.expiryDate, drawTimeZone) : 'No expiry'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}
