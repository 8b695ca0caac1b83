import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import { type Availability, type AvailabilityState, getMonday, maxBookedDays } from '@handwise/contract/listings/availability';
import type { Listing } from '@handwise/contract/listings/calls';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import type { Context } from '../../kit/context.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { isLive } from '../listings/listings.service.ts';
import * as queries from './selling.availability.queries.ts';
import { getOwnListing, publishListingChange, timeZoneOfListing } from './selling.own-listing.ts';
import { lockOwnListing } from './selling.queries.ts';

type Choice = { state: AvailabilityState; until?: string | null | undefined };

const getMidnight = (day: string, timeZone: string) => getMoment(day, '00:00', timeZone);

/** The columns of a choice. They are midnights, so that an availability begins and ends with whole days. Throws `invalid_input`. */
export function toAvailabilityColumns({ state, until }: Choice, now: Date, timeZone: string): queries.AvailabilityColumns {
  const today = getDay(now, timeZone);
  if (state !== 'booked_until') {
    const monday = addDays(getMonday(today), state === 'this_week' ? 0 : 7);
    const [from, end] = [monday, addDays(monday, 7)].map((day) => getMidnight(day, timeZone));
    return { available_from: from ?? now, available_until: end ?? now, booked_until: null };
  }
  if (!until) throw invalidField('until', 'Say until when you are booked');
  if (until < today) throw invalidField('until', 'Choose today or a later day');
  if (until > addDays(today, maxBookedDays)) throw invalidField('until', `Choose a day in the next ${maxBookedDays} days`);
  return { available_from: null, available_until: null, booked_until: getMidnight(addDays(until, 1), timeZone) };
}

const remindedAt = '16:00';

/** In the afternoon of the last day, or at the end if that afternoon has started. */
export function getReminderTime({ available_until, booked_until }: queries.AvailabilityColumns, now: Date, timeZone: string): Date {
  const end = available_until ?? booked_until ?? now;
  const afternoon = getMoment(getDay(new Date(end.getTime() - 1), timeZone), remindedAt, timeZone);
  return now < afternoon ? afternoon : end;
}

/** Says when a business has time. Throws `listing_not_active` for a listing that people cannot find. */
export async function setAvailability(context: Context, viewer: Viewer, id: string, choice: Choice): Promise<Listing> {
  const now = context.clock.now();
  await context.db.transaction().execute(async (tx) => {
    const listing = await lockOwnListing(tx, id, viewer.id);
    if (!listing) throw new AppError('listing_not_found');
    if (!isLive(listing)) throw new AppError('listing_not_active');
    const timeZone = timeZoneOfListing(listing);
    const columns = toAvailabilityColumns(choice, now, timeZone);
    await queries.updateAvailability(tx, id, columns);
    await queries.saveReminder(tx, id, getReminderTime(columns, now, timeZone));
  });
  publishListingChange(context, [id]);
  return getOwnListing(context, id, viewer);
}

export async function clearAvailability(context: Context, viewer: Viewer, id: string): Promise<Listing> {
  await context.db.transaction().execute(async (tx) => {
    if (!(await lockOwnListing(tx, id, viewer.id))) throw new AppError('listing_not_found');
    await queries.updateAvailability(tx, id, { available_from: null, available_until: null, booked_until: null });
    await queries.deleteReminder(tx, id);
  });
  publishListingChange(context, [id]);
  return getOwnListing(context, id, viewer);
}

type Place = Pick<Parameters<typeof timeZoneOfListing>[0], 'region_code' | 'country'>;

/** The columns of a listing that moves to another region, on the same days by its clocks; none if the clocks are the same. */
export function moveAvailability(columns: queries.AvailabilityColumns, from: Place, to: Place): Partial<queries.AvailabilityColumns> {
  const [before, after] = [from, to].map(({ region_code: region, country }) => getRegionTimeZone(region, country));
  if (before === undefined || after === undefined || before === after) return {};
  const move = (midnight: Date | null) => midnight && getMidnight(getDay(midnight, before), after);
  return {
    available_from: move(columns.available_from),
    available_until: move(columns.available_until),
    booked_until: move(columns.booked_until),
  };
}

/** What a reminder is about: the availability, and the Monday of the first week after it. */
export type EndingAvailability = { availability: Availability; hasEnded: boolean; nextWeek: string; timeZone: string };

/** The key of the check that an email about a week is sent before that week. */
export const getWeekKey = ({ nextWeek, timeZone }: EndingAvailability) => `${nextWeek} ${timeZone}`;

export function isWeekAhead(key: string, now: Date): boolean {
  const [monday = '', timeZone = ''] = key.split(' ');
  return getDay(now, timeZone) < monday;
}

/** Null if there is nothing left to ask: no availability, or the week after it has begun. */
export function describeEnding(columns: queries.AvailabilityColumns, now: Date, timeZone: string): EndingAvailability | null {
  const end = columns.available_until ?? columns.booked_until;
  if (!end) return null;
  const [endDay, today] = [getDay(end, timeZone), getDay(now, timeZone)];
  const monday = getMonday(endDay);
  const nextWeek = monday === endDay ? monday : addDays(monday, 7);
  if (nextWeek <= today) return null;
  const state = columns.booked_until ? ('booked_until' as const) : ('this_week' as const);
  return {
    availability: { state, until: getDay(new Date(end.getTime() - 1), timeZone) },
    hasEnded: end <= now,
    nextWeek,
    timeZone,
  };
}
