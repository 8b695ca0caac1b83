import { periodName, timeWriter } from '@handwise/contract/dates';
import { count, counted } from '@handwise/contract/numbers';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { useState } from 'react';
import { Chart, ChartTable, getScaleTop } from '../../../ui/charts/chart.tsx';
import styles from './referral-charts.module.css';
import { ticketSources } from '../referral-view.ts';

type Analytics = ReferralDashboard['analytics'];

const writeShort = timeWriter('en-US', { month: 'short' });

/** "Nov" */
export const shortMonth = (month: string) => writeShort(`${month}-01`, 'UTC');

/** A column per month in percent of the scale, partly filled by the conversions. */
export function monthColumns(months: Analytics['referralsByMonth']) {
  const top = getScaleTop(Math.max(0, ...months.map(({ referrals }) => referrals)));
  return {
    top,
    columns: months.map(({ month, referrals, converted }) => ({
      month,
      referrals,
      converted,
      height: (referrals / top) * 100,
      convertedShare: referrals === 0 ? 0 : (Math.min(converted, referrals) / referrals) * 100,
    })),
  };
}

/** The months in words, for screen readers. */
export function monthsSummary(months: Analytics['referralsByMonth']): string {
  const referrals = months.reduce((sum, one) => sum + one.referrals, 0);
  const converted = months.reduce((sum, one) => sum + one.converted, 0);
  const best = months.reduce((highest, one) => (one.referrals > highest.referrals ? one : highest), { month: '', referrals: 0 });
  const summary = `${counted(referrals, 'referral')} in ${counted(months.length, 'month')}, ${converted} of them converted`;
  return best.referrals === 0 ? `${summary}.` : `${summary}, most in ${periodName(best.month)}: ${best.referrals}.`;
}

/** The sources of tickets, each with its count and its bar in percent of the longest. */
export function sourceBars(entries: Analytics['entriesBySource']) {
  const longest = Math.max(1, ...Object.values(entries));
  return ticketSources.map(({ source, name }) => ({ source, name, tickets: entries[source], length: (entries[source] / longest) * 100 }));
}

/** The tickets by source, in words. */
export const sourcesSummary = (entries: Analytics['entriesBySource']): string =>
  `${sourceBars(entries)
    .map(({ name, tickets }) => `${name} ${tickets}`)
    .join(', ')}.`;

/** Charts of referrals by month and tickets by source, each with its numbers as a table. */
export const ReferralCharts = ({ analytics }: { analytics: Analytics }) => (
  <div className={styles.charts}>
    <Months months={analytics.referralsByMonth} />
    <Sources entries={analytics.entriesBySource} />
  </div>
);

function Months({ months }: { months: Analytics['referralsByMonth'] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { top, columns } = monthColumns(months);
  const month = pointed === null ? undefined : months[pointed];
  return (
    <section className={`card ${styles.chart}`} aria-labelledby="referrals-by-month">
      <h2 id="referrals-by-month">Referrals by month</h2>
      <p className={styles.caption}>
        {month ? (
          <>
            <strong>{counted(month.referrals, 'referral')}</strong> in {periodName(month.month)}, {month.converted} converted
          </>
        ) : (
          <span className={styles.key}>
            <span data-kind="referrals">Signed up</span>
            <span data-kind="converted">Converted</span>
          </span>
        )}
      </p>
      <Chart
        label={monthsSummary(months)}
        top={top}
        height={180}
        onLeave={() => setPointed(null)}
        under={
          <div className={styles.months}>
            {months.map(({ month: name }) => (
              <span key={name}>{shortMonth(name)}</span>
            ))}
          </div>
        }
      >
        {columns.map((column, at) => (
          <span
            key={column.month}
            className={styles.column}
            data-pointed={at === pointed || undefined}
            onPointerEnter={() => setPointed(at)}
            onPointerDown={() => setPointed(at)}
          >
            <span className={styles.bar} style={{ height: `${column.height}%` }}>
              <span style={{ height: `${column.convertedShare}%` }} />
            </span>
          </span>
        ))}
      </Chart>
      <ChartTable
        summary="Referrals by month, as a table"
        head={['Month', 'Referrals', 'Converted']}
        rows={months.toReversed().map((one) => [periodName(one.month), one.referrals, one.converted])}
      />
    </section>
  );
}

function Sources({ entries }: { entries: Analytics['entriesBySource'] }) {
  const bars = sourceBars(entries);
  return (
    <section className={`card ${styles.chart}`} aria-labelledby="entry-sources">
      <h2 id="entry-sources">Entry Sources</h2>
      <p className={styles.caption}>All your tickets so far, void ones included, by how you earned them</p>
      <div className={styles.bars} role="img" aria-label={sourcesSummary(entries)}>
        {bars.map(({ source, name, tickets, length }) => (
          <div key={source} className={styles.source}>
            <span>{name}</span>
            <span className={styles.track}>
              <span style={{ width: `${length}%` }} />
            </span>
            <strong>{count(tickets)}</strong>
          </div>
        ))}
      </div>
      <ChartTable
        summary="Tickets by source, as a table"
        head={['Source', 'Tickets']}
        rows={bars.map(({ name, tickets }) => [name, tickets])}
      />
    </section>
  );
}
