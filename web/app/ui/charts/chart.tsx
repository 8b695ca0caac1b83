import { count } from '@handwise/contract/numbers';
import type { CSSProperties, PointerEventHandler, ReactNode } from 'react';
import styles from './chart.module.css';

/** The top of a scale, with an integer in its middle. */
export function getScaleTop(highest: number): number {
  for (let unit = 1; ; unit *= 10) for (const step of [4, 10, 20]) if (highest <= step * unit) return step * unit;
}

type ChartProps = {
  /** Its description for screen readers. */
  label: string;
  /** The number at the top of the scale, which begins at 0. */
  top: number;
  /** Pixels of the plot. */
  height: number;
  /** The columns, side by side. */
  children: ReactNode;
  /** The labels below the columns. */
  under: ReactNode;
  plotClassName?: string | undefined;
  onPoint?: PointerEventHandler | undefined;
  onLeave: () => void;
};

/** Columns over a scale of three lines. */
export const Chart = ({ label, top, height, children, under, plotClassName = '', onPoint, onLeave }: ChartProps) => (
  <div className={styles.body} role="img" aria-label={label} style={{ '--chart-height': `${height}px` } as CSSProperties}>
    <div className={styles.scale}>
      <span>{count(top)}</span>
      <span>{count(top / 2)}</span>
      <span>0</span>
    </div>
    <div className={`${styles.plot} ${plotClassName}`} onPointerMove={onPoint} onPointerDown={onPoint} onPointerLeave={onLeave}>
      {children}
    </div>
    <div className={styles.under}>{under}</div>
  </div>
);

type ChartTableProps = { summary: string; head: readonly string[]; rows: readonly (readonly [string, ...number[]])[] };

/** A chart's numbers as a table that opens on press. The first cell of each row names it. */
export const ChartTable = ({ summary, head, rows }: ChartTableProps) => (
  <details className={styles.details}>
    <summary>{summary}</summary>
    <table className={styles.table}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...numbers]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {numbers.map((number, at) => (
              <td key={head[at + 1]}>{count(number)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);
