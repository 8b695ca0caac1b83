import { addDays, clockOf, dayMs } from '@handwise/contract/dates';
import { regions } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { listEnded, waysToEndOf } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { listContacts } from '../accounts/accounts.service.ts';
import { type ListingSummary, listSummaries } from '../listings/listings.service.ts';
import { listMessagedSince } from '../messages/messages.service.ts';
import { listSavedSince } from '../saved/saved.service.ts';
import { daysUntil, figuresOn, readDays, sumOf } from './figures.days.ts';
import { weeklyMail } from './figures.mails.ts';
import * as queries from './figures.queries.ts';

const timeZones = [...new Set(regions.map(({ timeZone }) => timeZone))];
const firstHour = 8;
/** So many sellers are read and written at once. */
const batchSize = 500;

type Seller = readonly [id: string, places: readonly ListingSummary[]];

/** The Monday of the week that is told of now, by these clocks: from eight on Monday until Tuesday is over. Else undefined. */
export function weekToTell(now: Date, timeZone: string): string | undefined {
  const { day, weekday, hour } = clockOf(now, timeZone);
  const isTime = weekday === 2 || (weekday === 1 && hour >= firstHour);
  return isTime ? addDays(day, 1 - weekday - 7) : undefined;
}

/** Mails sellers what their listings came to in the week before, each once, at eight on Monday where their first listing with any lies. */
export async function mailWeeks(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  // Wherever it is time at the same moment, it is the same week.
  const open = timeZones.filter((zone) => weekToTell(now, zone) !== undefined);
  const week = open[0] === undefined ? undefined : weekToTell(now, open[0]);
  if (week === undefined) return;
  const bySeller = Map.groupBy(await listSummaries(db, { ids: await listLookedAt(db, week) }), ({ sellerId }) => sellerId);
  const told = await queries.listTold(db, week, [...bySeller.keys()]);
  const due = [...bySeller].filter(([sellerId, [first]]) => !told.has(sellerId) && open.includes(first?.timeZone ?? ''));
  for (let at = 0; at < due.length; at += batchSize) await mailBatch(context, due.slice(at, at + batchSize), week);
}

/** Where one of them cannot be mailed, the others get theirs; that one comes again at the next turn. */
async function mailBatch(context: Context, sellers: readonly Seller[], week: string): Promise<void> {
  try {
    await mailSellers(context, sellers, week);
  } catch (error) {
    if (sellers.length > 1) for (const seller of sellers) await mailBatch(context, [seller], week);
    else context.logger.error({ err: error, userId: sellers[0]?.[0] }, 'the weekly figures could not be mailed');
  }
}

/** Listings with anything in a week, give or take the hours between time zones. */
async function listLookedAt(db: Db, week: string): Promise<string[]> {
  const since = new Date(Date.parse(week) - dayMs);
  const all = await Promise.all([queries.listViewedSince(db, week), listSavedSince(db, since), listMessagedSince(db, since)]);
  return [...new Set(all.flat())];
}

async function mailSellers({ db, jobs, appUrl }: Context, sellers: readonly Seller[], week: string): Promise<void> {
  const ids = sellers.map(([id]) => id);
  const [contacts, ended] = await Promise.all([listContacts(db, ids), listEnded(db, ids, 'figures')]);
  const readers = new Map(
    contacts
      .filter((one) => one.email_confirmed_at && !one.suspended_at && !one.deleted_at && !ended.has(one.id))
      .map((one) => [one.id, one]),
  );
  const read = sellers.filter(([id]) => readers.has(id));
  const asked = read.flatMap(([, places]) => places.map(({ id, timeZone }) => ({ id, timeZone, from: addDays(week, -7) })));
  const known = await readDays(db, asked);
  const sunday = addDays(week, 6);
  const weeks = new Map(
    read.flatMap(([sellerId, places]) => {
      const listings = places.map(({ id, title }) => {
        const figures = daysUntil(sunday, 14).map((day) => figuresOn(known.get(id) ?? new Map(), day));
        return { id, title, figures: sumOf(figures.slice(7)), before: sumOf(figures.slice(0, 7)) };
      });
      const withAny = listings.filter(({ figures }) => figures.views + figures.saves + figures.messages > 0);
      return withAny.length === 0 ? [] : [[sellerId, { withAny, before: sumOf(listings.map((one) => one.before)) }] as const];
    }),
  );
  await db.transaction().execute(async (tx) => {
    const told = await queries.insertTold(tx, [...weeks.keys()], week);
    const endOf = await waysToEndOf(tx, appUrl, 'figures');
    const mails = [...weeks].flatMap(([id, { withAny, before }]) => {
      const reader = readers.get(id);
      if (!reader || !told.has(id)) return [];
      return weeklyMail(
        { to: reader.email, name: reader.full_name, appUrl, end: endOf(id) },
        { from: week, until: sunday },
        withAny,
        before,
      );
    });
    await jobs.sendAll(tx, sendMail, mails);
  });
}
