import type { ListingFigures } from '@handwise/contract/figures';
import { count } from '../../lib/format.ts';
import styles from './figures-table.module.css';
import { figureKinds, longDay } from './figures-view.ts';

/** The chart's numbers, all four of them for each day, the newest first. */
export const FiguresTable = ({ figures: { days } }: { figures: ListingFigures }) => (
  <details className={styles.details}>
    <summary>The numbers as a table</summary>
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {figureKinds.map(({ kind, name }) => (
            <th key={kind} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <th scope="row">{longDay(day.day)}</th>
            {figureKinds.map(({ kind }) => (
              <td key={kind}>{count(day[kind])}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);
