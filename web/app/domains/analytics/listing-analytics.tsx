import type { ListingAnalytics, ListingMetrics } from '@handwise/contract/analytics/calls';
import { analyticsDays, defaultAnalyticsDays, formatChange } from '@handwise/contract/analytics/words';
import type { Listing } from '@handwise/contract/listings/calls';
import { count, counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { declineSentences } from '@handwise/contract/quotes/words';
import { useQuery } from '@tanstack/react-query';
import { useState, type PointerEvent } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { FilterLinks, ListPage } from '../../ui/page/page-links.tsx';
import { listingAnalytics } from './analytics-queries.ts';
import styles from './listing-analytics.module.css';
import { getScaleTop, Chart, ChartTable } from '../../ui/charts/chart.tsx';
import { timeWriter } from '@handwise/contract/dates';

/** Analytics of the user's listing: its numbers, one of them charted by day. The period is in the URL. */
export function AnalyticsOfListing({ listing }: { listing: Pick<Listing, '_id' | 'status'> }) {
  const [search] = useSearchParams();
  const days = analyticsDays.find((one) => String(one) === search.get('days')) ?? defaultAnalyticsDays;
  const { data, error, isPlaceholderData, refetch } = useQuery(listingAnalytics(listing._id, days));
  const [shown, setShown] = useState(metricKinds[0]);
  if (error && !data) return <ErrorDisplay error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <FilterLinks
        label="How far back"
        links={analyticsDays.map((one) => ({
          to: paths.listingAnalytics(listing._id) + (one === defaultAnalyticsDays ? '' : `?days=${one}`),
          name: `${one} days`,
          isCurrent: one === days,
        }))}
        replace
      />
      {!data || !shown ? (
        <Skeleton width="100%" height={420} radius="var(--radius)" />
      ) : isNothing(data) && !isPlaceholderData ? (
        <Nothing listing={listing} days={days} />
      ) : (
        <ListPage busy={isPlaceholderData}>
          <div className={styles.tiles} role="group" aria-label="What the chart shows">
            {metricKinds.map((one) => (
              <button
                key={one.kind}
                type="button"
                className={`card ${styles.tile}`}
                aria-pressed={one.kind === shown.kind}
                onClick={() => setShown(one)}
              >
                <span className={styles.name}>{one.name}</span>
                <strong className={styles.number}>{count(data.total[one.kind])}</strong>
                <span className={styles.change}>
                  {formatChange(data.total[one.kind], data.before[one.kind], `in the ${data.days.length} days before`)}
                </span>
              </button>
            ))}
          </div>
          <section className={`card ${styles.drawn}`} aria-label={`${shown.name} by day`}>
            <AnalyticsChart metrics={data} shown={shown} />
            <p className={styles.hint}>{shown.hint} Visits by search engines, by you and by our staff don’t count.</p>
            <AnalyticsTable metrics={data} />
          </section>
          {data.quotes.sent > 0 && <Quotes quotes={data.quotes} days={data.days.length} />}
        </ListPage>
      )}
    </>
  );
}

/** What has become of the quotes sent in these days. */
const Quotes = ({ quotes: { sent, accepted, declined, expired, reasons }, days }: Pick<ListingAnalytics, 'quotes'> & { days: number }) => (
  <section className={`card ${styles.drawn}`} aria-labelledby="quotes-heading">
    <h2 id="quotes-heading">Quotes of {days} days</h2>
    <p>
      {counted(sent, 'quote')} sent: {count(accepted)} accepted, {count(declined)} declined, {count(expired)} expired without an answer.
    </p>
    {reasons.length > 0 && (
      <ul>
        {reasons.map(({ reason, quotes }) => (
          <li key={reason}>
            {declineSentences[reason]} {count(quotes)}
          </li>
        ))}
      </ul>
    )}
  </section>
);

const Nothing = ({ listing: { _id, status }, days }: { listing: Pick<Listing, '_id' | 'status'>; days: number }) =>
  status === 'active' ? (
    <EmptyState title="Nothing to show yet" action={<ButtonLink to={paths.listing(_id)}>See your listing</ButtonLink>}>
      Nobody has viewed this listing, saved it or written about it in {2 * days} days. Your own visits don’t count: send somebody the link
      and watch it show up here.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing to show" action={<ButtonLink to={paths.ownListings}>My Listings</ButtonLink>}>
      People can only view a listing while it is active, and this one hasn’t been for a while.
    </EmptyState>
  );

type AnalyticsChartProps = { metrics: ListingAnalytics; shown: (typeof metricKinds)[number] };

/** A column per day, with its number on hover; screen readers get the summary and the table. */
function AnalyticsChart({ metrics, shown }: AnalyticsChartProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { days } = metrics;
  const top = getScaleTop(Math.max(...days.map((day) => day[shown.kind])));
  const day = pointed === null ? undefined : days[pointed];
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setPointed(Math.min(days.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * days.length))));
  };
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.caption}>
        {day ? (
          <>
            <strong>{counted(day[shown.kind], shown.one)}</strong> on {formatLongDay(day.day)}
          </>
        ) : (
          <>
            <strong>{shown.name}</strong> by day
          </>
        )}
      </figcaption>
      <Chart
        label={describeChart(metrics, shown)}
        top={top}
        height={220}
        plotClassName={styles.plot}
        onPoint={point}
        onLeave={() => setPointed(null)}
        under={
          <div className={styles.days}>
            <span>{formatShortDay(days[0]?.day ?? '')}</span>
            <span>{formatShortDay(days[Math.floor(days.length / 2)]?.day ?? '')}</span>
            <span>Today</span>
          </div>
        }
      >
        {days.map((one, at) => (
          <span key={one.day} className={styles.column} data-pointed={at === pointed || undefined}>
            <span style={{ height: `${(one[shown.kind] / top) * 100}%` }} />
          </span>
        ))}
      </Chart>
    </figure>
  );
}

/** All numbers for each day, newest first. */
const AnalyticsTable = ({ metrics: { days } }: { metrics: ListingAnalytics }) => (
  <ChartTable
    summary="Your numbers, as a table"
    head={['Day', ...metricKinds.map(({ name }) => name)]}
    rows={days.toReversed().map((day) => [formatLongDay(day.day), ...metricKinds.map(({ kind }) => day[kind])])}
  />
);

type MetricKind = keyof ListingMetrics;

const metricKinds: readonly { kind: MetricKind; name: string; one: string; hint: string }[] = [
  { kind: 'views', name: 'Views', one: 'view', hint: 'How often the page was viewed. The same visitor counts once in half an hour.' },
  {
    kind: 'visitors',
    name: 'Visitors',
    one: 'visitor',
    hint: 'Each person counts once a day, so somebody who visits on two days counts twice.',
  },
  { kind: 'saves', name: 'Saves', one: 'save', hint: 'People who saved the listing then and still have it.' },
  { kind: 'messages', name: 'Messages', one: 'message', hint: 'Messages from customers about this listing.' },
  {
    kind: 'numbersShown',
    name: 'Number shown',
    one: 'phone request',
    hint: 'People who asked for your phone number. Each counts once a day.',
  },
];

const writeShort = timeWriter('en-US', { month: 'short', day: 'numeric' });
const writeLong = timeWriter('en-US', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** "Nov 22" */
export const formatShortDay = (day: string) => writeShort(day, 'UTC');
/** "Sun, Nov 22, 2026" */
export const formatLongDay = (day: string) => writeLong(day, 'UTC');

/** The chart in words, for screen readers. */
export function describeChart({ days, total }: ListingAnalytics, { kind, one }: { kind: MetricKind; one: string }): string {
  const best = days.reduce((highest, day) => (day[kind] > highest[kind] ? day : highest));
  const summary = `${counted(total[kind], one)} in ${days.length} days`;
  return best[kind] === 0 ? `${summary}.` : `${summary}, most on ${formatLongDay(best.day)}: ${count(best[kind])}.`;
}

export const isNothing = ({ total, before, quotes }: ListingAnalytics): boolean =>
  [total, before].every((metrics) => Object.values(metrics).every((value) => value === 0)) && quotes.sent === 0;
