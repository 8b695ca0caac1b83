import { addDays } from '@handwise/contract/dates';
import { regions } from '@handwise/contract/places';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database.ts';
import { getsMails, waysToEnd } from '../../kit/mail-preferences.ts';
import { sendMail } from '../../kit/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { type ListingPlace, listPlaces } from '../listings/listings.service.ts';
import { listMessagedSince } from '../messages/messages.service.ts';
import { listSavedSince } from '../saved/saved.service.ts';
import { daysUntil, figuresOn, readDays, sumOf } from './figures.days.ts';
import { weeklyMail } from './figures.mails.ts';
import * as queries from './figures.queries.ts';

const timeZones = [...new Set(regions.map(({ timeZone }) => timeZone))];
const firstHour = 8;

/** The Monday of the week that is told of now, by these clocks: from eight on Monday until Tuesday is over. Else undefined. */
export function weekToTell(now: Date, timeZone: string): string | undefined {
  const [today = '', time = ''] = now.toLocaleString('sv-SE', { timeZone }).split(' ');
  const weekday = new Date(today).getUTCDay();
  const isTime = weekday === 2 || (weekday === 1 && Number(time.slice(0, 2)) >= firstHour);
  return isTime ? addDays(today, 1 - weekday - 7) : undefined;
}

/** Mails sellers what their listings came to in the week before, each once, at eight on Monday where their first listing with any lies. */
export async function mailWeeks(context: Context): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  // Wherever it is time at the same moment, it is the same week.
  const open = timeZones.filter((zone) => weekToTell(now, zone) !== undefined);
  const week = open[0] === undefined ? undefined : weekToTell(now, open[0]);
  if (week === undefined) return;
  const bySeller = Map.groupBy(await listPlaces(db, { ids: await listLookedAt(db, week) }), ({ sellerId }) => sellerId);
  const told = await queries.listTold(db, week, [...bySeller.keys()]);
  for (const [sellerId, places] of bySeller) {
    if (told.has(sellerId) || !open.includes(places[0]?.timeZone ?? '')) continue;
    try {
      await mailWeek(context, sellerId, places, week);
    } catch (error) {
      // The others get theirs; this one comes again at the next turn.
      logger.error({ err: error, userId: sellerId }, 'the weekly figures could not be mailed');
    }
  }
}

/** Listings with anything in a week, give or take the hours between time zones. */
async function listLookedAt(db: Db, week: string): Promise<string[]> {
  const since = new Date(Date.parse(week) - 86_400_000);
  const all = await Promise.all([queries.listViewedSince(db, week), listSavedSince(db, since), listMessagedSince(db, since)]);
  return [...new Set(all.flat())];
}

async function mailWeek({ db, jobs, appUrl }: Context, sellerId: string, places: readonly ListingPlace[], week: string): Promise<void> {
  const reader = await findContact(db, sellerId);
  if (!reader.email_confirmed_at || reader.suspended_at || reader.deleted_at) return;
  if (!(await getsMails(db, sellerId, 'figures'))) return;
  const asked = places.map(({ id, timeZone }) => ({ id, timeZone, from: addDays(week, -7) }));
  const known = await readDays(db, asked);
  const sunday = addDays(week, 6);
  const listings = places.map(({ id, title }) => {
    const figures = daysUntil(sunday, 14).map((day) => figuresOn(known.get(id) ?? new Map(), day));
    return { id, title, figures: sumOf(figures.slice(7)), before: sumOf(figures.slice(0, 7)) };
  });
  const withAny = listings.filter(({ figures }) => figures.views + figures.saves + figures.messages > 0);
  if (withAny.length === 0) return;
  await db.transaction().execute(async (tx) => {
    if (!(await queries.insertTold(tx, sellerId, week))) return;
    const end = await waysToEnd(tx, appUrl, sellerId, 'figures');
    const before = sumOf(listings.map((one) => one.before));
    await jobs.send(
      tx,
      sendMail,
      weeklyMail({ to: reader.email, name: reader.full_name, appUrl, end }, { from: week, until: sunday }, withAny, before),
    );
  });
}
