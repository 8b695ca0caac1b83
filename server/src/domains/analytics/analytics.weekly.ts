import { addDays, getClock, dayMs, getMoment, siteTimeZone } from '@handwise/contract/dates';
import { regions } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { listUnsubscribed, prepareUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { listContacts } from '../accounts/accounts.service.ts';
import { type ListingSummary, listSummaries } from '../listings/listings.service.ts';
import { listMessagedSince } from '../messages/messages.service.ts';
import { countQuotesOfSellers, listQuotedSince } from '../quotes/quotes.service.ts';
import { listSavedSince } from '../saved/saved.service.ts';
import { weeklyEmail } from './analytics.emails.ts';
import * as queries from './analytics.queries.ts';
import { listDaysUntil, getMetricsOn, listDailyMetrics, sumMetrics } from './analytics.service.ts';

const timeZones = [...new Set(regions.map(({ timeZone }) => timeZone))];
const firstHour = 8;
/** Sellers per transaction. */
const batchSize = 500;

type Seller = readonly [id: string, places: readonly ListingSummary[]];

/** The Monday of last week, from 8 a.m. on Monday to the end of Tuesday in the time zone; else undefined. */
export function findWeekToReport(now: Date, timeZone: string): string | undefined {
  const { day, weekday, hour } = getClock(now, timeZone);
  const isTime = weekday === 2 || (weekday === 1 && hour >= firstHour);
  return isTime ? addDays(day, 1 - weekday - 7) : undefined;
}

/** Emails each seller last week's metrics once, at 8 a.m. on Monday in the time zone of their first active listing. */
export async function emailWeeklyAnalytics(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  // All time zones that are due at the same moment are in the same week.
  const open = timeZones.filter((zone) => findWeekToReport(now, zone) !== undefined);
  const week = open[0] === undefined ? undefined : findWeekToReport(now, open[0]);
  if (week === undefined) return;
  const bySeller = Map.groupBy(await listSummaries(db, { ids: await listActiveListingIds(db, week) }), ({ sellerId }) => sellerId);
  const notified = await queries.listNotifiedSellers(db, week, [...bySeller.keys()]);
  const due = [...bySeller].filter(([sellerId, [first]]) => !notified.has(sellerId) && open.includes(first?.timeZone ?? ''));
  for (let at = 0; at < due.length; at += batchSize) await emailBatch(context, due.slice(at, at + batchSize), week);
}

/** If a batch fails, each seller is retried alone; one that still fails is retried at the next run. */
async function emailBatch(context: Context, sellers: readonly Seller[], week: string): Promise<void> {
  try {
    await emailSellers(context, sellers, week);
  } catch (error) {
    if (sellers.length > 1) for (const seller of sellers) await emailBatch(context, [seller], week);
    else context.logger.error({ err: error, userId: sellers[0]?.[0] }, 'a weekly email could not be sent');
  }
}

/** Listings with any activity in a week, with a day of margin for time zones. */
async function listActiveListingIds(db: Db, week: string): Promise<string[]> {
  const since = new Date(Date.parse(week) - dayMs);
  const all = await Promise.all([
    queries.listViewedSince(db, week),
    listSavedSince(db, since),
    listMessagedSince(db, since),
    listQuotedSince(db, since),
  ]);
  return [...new Set(all.flat())];
}

async function emailSellers({ db, jobs, appUrl }: Context, sellers: readonly Seller[], week: string): Promise<void> {
  const ids = sellers.map(([id]) => id);
  const [contacts, ended] = await Promise.all([listContacts(db, ids), listUnsubscribed(db, ids, 'figures')]);
  const readers = new Map(
    contacts
      .filter((one) => one.email_confirmed_at && !one.suspended_at && !one.deleted_at && !ended.has(one.id))
      .map((one) => [one.id, one]),
  );
  const read = sellers.filter(([id]) => readers.has(id));
  const requested = read.flatMap(([, places]) => places.map(({ id, timeZone }) => ({ id, timeZone, from: addDays(week, -7) })));
  const periods = read.map(([sellerId, [first]]) => {
    const midnightOf = (day: string) => getMoment(day, '00:00', first?.timeZone ?? siteTimeZone);
    return { sellerId, from: midnightOf(week), until: midnightOf(addDays(week, 7)) };
  });
  const [known, quoted] = await Promise.all([listDailyMetrics(db, requested), countQuotesOfSellers(db, periods)]);
  const quotes = new Map(quoted.map((one) => [one.seller_id, one]));
  const sunday = addDays(week, 6);
  const weeks = new Map(
    read.flatMap(([sellerId, places]) => {
      const listings = places.map(({ id, title }) => {
        const metrics = listDaysUntil(sunday, 14).map((day) => getMetricsOn(known.get(id) ?? new Map(), day));
        return { id, title, metrics: sumMetrics(metrics.slice(7)), before: sumMetrics(metrics.slice(0, 7)) };
      });
      const withAny = listings.filter(({ metrics }) => metrics.views + metrics.saves + metrics.messages + metrics.numbersShown > 0);
      const own = quotes.get(sellerId);
      const hasQuotes = own !== undefined && own.sent + own.seen + own.accepted + own.declined + own.expired > 0;
      if (withAny.length === 0 && !hasQuotes) return [];
      const before = sumMetrics(listings.map((one) => one.before));
      return [[sellerId, { shown: withAny.length > 0 ? withAny : listings, before, quotes: hasQuotes ? own : null }] as const];
    }),
  );
  await db.transaction().execute(async (tx) => {
    const notified = await queries.insertNotifiedSellers(tx, [...weeks.keys()], week);
    const endOf = await prepareUnsubscribeLinks(tx, appUrl, 'figures');
    const mails = [...weeks].flatMap(([id, { shown, before, quotes: counts }]) => {
      const reader = readers.get(id);
      if (!reader || !notified.has(id)) return [];
      return weeklyEmail(
        { to: reader.email, name: reader.full_name, appUrl, end: endOf(id) },
        { from: week, until: sunday },
        shown,
        before,
        counts,
      );
    });
    await jobs.sendAll(tx, sendMail, mails);
  });
}
