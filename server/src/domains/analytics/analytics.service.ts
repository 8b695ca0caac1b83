import type { ListingAnalytics, ListingMetrics } from '@handwise/contract/analytics/calls';
import { analyticsDays, defaultAnalyticsDays } from '@handwise/contract/analytics/words';
import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import { regions } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { listSummaries } from '../listings/listings.service.ts';
import { countMessagesByDay } from '../messages/messages.service.ts';
import { countQuotesOfListing } from '../quotes/quotes.service.ts';
import { countSavesByDay } from '../saved/saved.service.ts';
import * as queries from './analytics.queries.ts';

export { ViewCollector } from './analytics.collector.ts';

/** Metrics of the seller's listing for each of the last days, including today. Throws `listing_not_found`, also for another seller's. */
export async function getListingAnalytics(
  { db, clock }: Context,
  userId: string,
  listingId: string,
  count = defaultAnalyticsDays,
): Promise<ListingAnalytics> {
  const [place] = await listSummaries(db, { ids: [listingId] });
  if (place?.sellerId !== userId) throw new AppError('listing_not_found');
  const { id, timeZone } = place;
  const days = listDaysUntil(getDay(clock.now(), timeZone), 2 * count);
  const since = getMoment(days[count] ?? '', '00:00', timeZone);
  const [metrics, quotes] = await Promise.all([
    listDailyMetrics(db, [{ id, timeZone, from: days[0] ?? '' }]),
    countQuotesOfListing(db, id, since, clock.now()),
  ]);
  const known = metrics.get(id) ?? new Map();
  const all = days.map((day) => ({ day, ...getMetricsOn(known, day) }));
  return { timeZone, days: all.slice(count), total: sumMetrics(all.slice(count)), before: sumMetrics(all.slice(0, count)), quotes };
}

/** Totals of each of the seller's listings for the last 30 days, including today. */
export async function listOwnAnalytics(
  { db, clock }: Context,
  userId: string,
): Promise<{ listings: (ListingMetrics & { listingId: string })[] }> {
  const places = await listSummaries(db, { sellerId: userId });
  const requested = places.map(({ id, timeZone }) => ({
    id,
    timeZone,
    from: addDays(getDay(clock.now(), timeZone), 1 - defaultAnalyticsDays),
  }));
  const known = await listDailyMetrics(db, requested);
  return { listings: places.map(({ id }) => ({ listingId: id, ...sumMetrics([...(known.get(id)?.values() ?? [])]) })) };
}

const retentionDays = 2 * Math.max(...analyticsDays) + 20;
const hourMs = 3_600_000;

/** Deletes visitors of days that ended an hour ago in every time zone, and metrics older than any period on offer. */
export async function deleteOldAnalytics({ db, clock }: Context): Promise<void> {
  const anHourAgo = new Date(clock.now().getTime() - hourMs);
  const today = regions.map(({ timeZone }) => getDay(anHourAgo, timeZone)).toSorted()[0] ?? '';
  await queries.deleteAnalyticsBefore(db, today, addDays(today, -retentionDays));
}

/** A listing, its time zone and the first day. */
export type MetricsQuery = { id: string; timeZone: string; from: string };

/** A listing's metrics by day, without days that have none. */
export type MetricsByDay = ReadonlyMap<string, ListingMetrics>;

const nothing: ListingMetrics = { views: 0, visitors: 0, saves: 0, messages: 0, numbersShown: 0 };

/** Has an entry for every queried listing. */
export async function listDailyMetrics(db: Reader, requested: readonly MetricsQuery[]): Promise<Map<string, MetricsByDay>> {
  const [views, saves, messages] = await Promise.all([
    queries.listViews(db, requested),
    countSavesByDay(db, requested),
    countMessagesByDay(db, requested),
  ]);
  const found = new Map(requested.map(({ id }) => [id, new Map<string, ListingMetrics>()]));
  const add = (listingId: string, day: string, metrics: Partial<ListingMetrics>) => {
    const days = found.get(listingId);
    days?.set(day, { ...(days.get(day) ?? nothing), ...metrics });
  };
  for (const row of views) add(row.listing_id, row.day, { views: row.views, visitors: row.visitors, numbersShown: row.numbers_shown });
  for (const row of saves) add(row.listing_id, row.day, { saves: row.count });
  for (const row of messages) add(row.listing_id, row.day, { messages: row.count });
  return found;
}

export const getMetricsOn = (days: MetricsByDay, day: string): ListingMetrics => days.get(day) ?? nothing;

/** The given number of days up to and including the last one. */
export const listDaysUntil = (last: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => addDays(last, at + 1 - count));

export const sumMetrics = (all: readonly ListingMetrics[]): ListingMetrics =>
  all.reduce(
    (sum, one) => ({
      views: sum.views + one.views,
      visitors: sum.visitors + one.visitors,
      saves: sum.saves + one.saves,
      messages: sum.messages + one.messages,
      numbersShown: sum.numbersShown + one.numbersShown,
    }),
    nothing,
  );

/** Views of a user's listings by day. Visitors are not included because they are stored as anonymous hashes only. */
export const getOwnAnalyticsData = (db: Reader, userId: string): OwnData => ({
  lists: { 'listing-views': () => queries.listViewsForExport(db, userId) },
});
