import type { Funnel as FunnelData, FunnelRow, LadderRow } from '@handwise/contract/funnel/calls';
import {
  type FunnelMetric,
  funnelMetrics,
  type FunnelTable,
  funnelTables,
  funnelWeeks,
  type LadderMetric,
  ladderMetrics,
  leastShown,
  unansweredDays,
} from '@handwise/contract/funnel/words';
import { formatDate, formatMoment, siteTimeZone } from '@handwise/contract/dates';
import { count } from '@handwise/contract/numbers';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../lib/api.ts';
import { download } from '../../lib/download.ts';
import { Chart, getScaleTop } from '../../ui/charts/chart.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './funnel.module.css';

export const funnelQuery = {
  queryKey: ['admin', '/admin/funnel'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call('GET /admin/funnel', {}, signal),
};

const metrics = Object.keys(funnelMetrics) as FunnelMetric[];
const ladder = Object.keys(ladderMetrics) as LadderMetric[];

/** From visits to ended plans: a chart by week, a table by week, place and trade, and towns whose requests are not answered. */
export function Funnel() {
  const query = useQuery(funnelQuery);
  const { data, error, refetch } = query;
  if (error && !data) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton width="100%" height={420} radius="var(--radius)" />;
  return (
    <div className={styles.stack}>
      <ReloadProblem query={query} />
      <p className="muted">
        The last {funnelWeeks} weeks, which begin on Monday in New Zealand.{' '}
        {data.computedAt && `Computed on ${formatMoment(data.computedAt, siteTimeZone)}. `}A dash is a number below {leastShown}, or one
        from which such a number could be worked out.
      </p>
      {data.week.length === 0 ? (
        <EmptyState title="Nothing to show yet">The numbers are computed every night.</EmptyState>
      ) : (
        <>
          <WeekChart weeks={data.week.toReversed()} />
          <Table table="week" rows={data.week.map(({ name, values }) => ({ name: formatDate(name, 'UTC'), values }))} first="Week from" />
          <Table table="place" rows={data.place} first="Place" />
          <Table table="trade" rows={data.trade} first="Trade" />
        </>
      )}
      <Unanswered towns={data.unanswered} />
      <Ladder table="ladder_place" rows={data.ladder_place} first="Place" />
      <Ladder table="ladder_trade" rows={data.ladder_trade} first="Trade" />
    </div>
  );
}

/** A chart of one number by week. Hidden numbers have no column. */
function WeekChart({ weeks }: { weeks: readonly FunnelRow[] }) {
  const [metric, setMetric] = useState<FunnelMetric>('visits');
  const { name, hint } = funnelMetrics[metric];
  const top = getScaleTop(Math.max(...weeks.map(({ values }) => values[metric] ?? 0)));
  const nameOf = (at: number) => formatDate(weeks.at(at)?.name ?? '', 'UTC');
  return (
    <section className={`card ${styles.chart}`} aria-label={`${name} by week`}>
      <div className={styles.choices} role="group" aria-label="What the chart shows">
        {metrics.map((one) => (
          <Button
            key={one}
            kind={one === metric ? 'primary' : 'secondary'}
            size="sm"
            aria-pressed={one === metric}
            onClick={() => setMetric(one)}
          >
            {funnelMetrics[one].name}
          </Button>
        ))}
      </div>
      <Chart
        label={`${name} in each of ${weeks.length} weeks, at most ${count(Math.max(...weeks.map(({ values }) => values[metric] ?? 0)))}. The table has each number.`}
        top={top}
        height={180}
        plotClassName={styles.plot}
        onLeave={() => undefined}
        under={
          <div className={styles.under}>
            <span>{nameOf(0)}</span>
            <span>{nameOf(-1)}</span>
          </div>
        }
      >
        {weeks.map((week) => (
          <span key={week.name} className={styles.column} style={{ height: `${((week.values[metric] ?? 0) / top) * 100}%` }} />
        ))}
      </Chart>
      <p className="muted">{hint}.</p>
    </section>
  );
}

const Value = ({ value }: { value: number | null }) =>
  value === null ? (
    <>
      <span aria-hidden>–</span>
      <span className="visually-hidden">not shown</span>
    </>
  ) : (
    count(value)
  );

type Column<Metric extends string> = { key: Metric; name: string; hint?: string };
type Row<Metric extends string> = { name: string; values: Record<Metric, number | null> };

/** A row for each trade or place, a column for each metric. */
function Grid<Metric extends string>({
  columns,
  rows,
  first,
}: {
  columns: readonly Column<Metric>[];
  rows: readonly Row<Metric>[];
  first: string;
}) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {columns.map(({ key, name, hint }) => (
            <th key={key} scope="col" title={hint}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map(({ key }) => (
              <td key={key}>
                <Value value={values[key]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const columns = metrics.map((key) => ({ key, name: funnelMetrics[key].name }));
const ladderColumns = ladder.map((key) => ({ key, ...ladderMetrics[key] }));

const Table = ({ table, ...grid }: { table: FunnelTable; rows: readonly FunnelRow[]; first: string }) => (
  <Titled table={table}>
    <Grid columns={columns} {...grid} />
  </Titled>
);

/** What happened to messages that were not answered within a day, in the last days. */
const Ladder = ({ table, ...grid }: { table: FunnelTable; rows: readonly LadderRow[]; first: string }) => (
  <Titled table={table}>
    {grid.rows.length === 0 ? (
      <p>No customer of the last {unansweredDays} days had to wait for a day or a reminder.</p>
    ) : (
      <Grid columns={ladderColumns} {...grid} />
    )}
  </Titled>
);

function Unanswered({ towns }: { towns: FunnelData['unanswered'] }) {
  const shown = towns.filter(({ requests }) => requests !== null);
  const others = towns.length - shown.length;
  return (
    <Titled table="unanswered">
      {towns.length === 0 && <p>No customer of the last {unansweredDays} days is waiting for a first answer.</p>}
      {shown.length > 0 && (
        <table className={`${styles.table} ${styles.towns}`}>
          <thead>
            <tr>
              <th scope="col">Town</th>
              <th scope="col">Requests in {unansweredDays} days</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ name, requests }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  <Value value={requests} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {others > 0 && (
        <p className="muted">
          {others === 1 ? 'One town has' : `${count(others)} towns have`} a number that is not shown. The CSV names{' '}
          {others === 1 ? 'it' : 'them'}.
        </p>
      )}
    </Titled>
  );
}

/** A table with its heading and its download; it scrolls sideways on a phone. */
const Titled = ({ table, children }: { table: FunnelTable; children: ReactNode }) => (
  <section className={styles.section} aria-labelledby={`funnel-${table}`}>
    <div className={styles.head}>
      <h2 id={`funnel-${table}`}>{funnelTables[table]}</h2>
      <Button kind="secondary" size="sm" onClick={() => save(table)}>
        Download as CSV<span className="visually-hidden">: {funnelTables[table]}</span>
      </Button>
    </div>
    {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- needed to scroll by keyboard */}
    <section className={styles.scroll} tabIndex={0} aria-label={`${funnelTables[table]}, table`}>
      {children}
    </section>
  </section>
);

function save(table: FunnelTable): void {
  download(`/api/admin/funnel/${table}/csv`, `funnel-${table}.csv`).catch(() =>
    toast('The table could not be downloaded. Please try again.', 'error'),
  );
}
