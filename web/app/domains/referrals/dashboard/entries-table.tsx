import { formatDate } from '@handwise/contract/dates';
import { count } from '@handwise/contract/numbers';
import { drawTimeZone } from '@handwise/contract/draws/prize';
import type { DrawEntry } from '@handwise/contract/tickets/calls';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { useFirstRows } from '../first-rows.tsx';
import { entryLabel, entryState, formatVoid } from '../referral-view.ts';
import { StateChip } from '../state-chip.tsx';
import styles from './table.module.css';

const firstEntries = 5;

type EntriesTableProps = {
  entries: readonly DrawEntry[];
  /** The open draw, such as 2026-11. */
  running: string;
};

/** Entries with their reason, tickets and draw. Those of past draws are collapsed. */
export function EntriesTable({ entries, running }: EntriesTableProps) {
  const current = entries.filter(({ period }) => period >= running);
  const past = entries.filter(({ period }) => period < running);
  return (
    <>
      {current.length > 0 ? (
        <Rows entries={current} />
      ) : (
        <EmptyState title="No Entries Yet">The tickets you earn are shown here, each with its draw.</EmptyState>
      )}
      {past.length > 0 && (
        <details className={styles.past}>
          <summary>Past draws ({count(past.length)})</summary>
          <Rows entries={past} />
        </details>
      )}
    </>
  );
}

function Rows({ entries }: { entries: readonly DrawEntry[] }) {
  const { shown, more } = useFirstRows(entries, 'entries', firstEntries);
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
                <strong>{entryLabel(entry.source)}</strong>
              </th>
              <td data-name="Date" className={styles.day}>
                {formatDate(entry.createdAt, drawTimeZone)}
              </td>
              <td data-name="Status">
                <span>
                  <StateChip state={entryState(entry)} />
                  {entry.voidReason && <span className={styles.note}>{formatVoid(entry.voidReason)}</span>}
                </span>
              </td>
              <td data-name="Tickets" className={styles.number}>
                {entry.tickets}
              </td>
              <td data-name="Expiry" className={styles.day}>
                {entry.expiryDate ? formatDate(entry.expiryDate, drawTimeZone) : 'No expiry'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </>
  );
}
