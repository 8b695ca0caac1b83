import { addDays, getClock, getDay, getMoment } from '@handwise/contract/dates';
import type { VisitTimesForm } from '@handwise/contract/visits/calls';
import { getVisitEnd, maxVisitDays, visitReminderClock } from '@handwise/contract/visits/words';
import { invalidField } from '../../kit/errors.ts';

export type ProposedTime = { starts_at: Date; minutes: number };

/** The moment of "2026-12-08T10:00" in a time zone; undefined if clocks skip it. One that they show twice is the first of the two. */
export function parseLocalTime(local: string, timeZone: string): Date | undefined {
  const [day = '', clock = ''] = local.split('T');
  const found = getMoment(day, clock, timeZone);
  const shown = getClock(found, timeZone);
  if (shown.day !== day || shown.clock !== clock) return undefined;
  const before = new Date(found.getTime() - hourMs);
  const earlier = getClock(before, timeZone);
  return earlier.day === day && earlier.clock === clock ? before : found;
}

const hourMs = 3_600_000;

export const isOverlapping = (one: ProposedTime, other: ProposedTime): boolean =>
  one.starts_at < getVisitEnd(other.starts_at, other.minutes) && other.starts_at < getVisitEnd(one.starts_at, one.minutes);

/** The proposed times in order, as moments. Throws `invalid_input`, with the place of the first wrong one in the field. */
export function readTimes(times: VisitTimesForm, now: Date, timeZone: string): ProposedTime[] {
  const lastDay = addDays(getDay(now, timeZone), maxVisitDays);
  const read = times.map(({ start, minutes }, place) => {
    const field = `times.${place}.start`;
    const startsAt = parseLocalTime(start, timeZone);
    if (!startsAt) throw invalidField(field, 'Clocks go forward then, so this time does not exist. Choose another');
    if (startsAt <= now) throw invalidField(field, 'This time has passed. Choose a later one');
    if (getDay(startsAt, timeZone) > lastDay) throw invalidField(field, `Choose a day within ${maxVisitDays} days`);
    return { starts_at: startsAt, minutes };
  });
  for (const [place, time] of read.entries()) {
    if (read.slice(0, place).some((other) => isOverlapping(other, time))) {
      throw invalidField(`times.${place}.start`, 'This time overlaps another one. Choose times that do not');
    }
  }
  return read.toSorted((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
}

/** The evening before, where the listing is; null if it has passed, because both sides have just agreed. */
export function getReminderTime(startsAt: Date, timeZone: string, now: Date): Date | null {
  const evening = getMoment(addDays(getDay(startsAt, timeZone), -1), visitReminderClock, timeZone);
  return evening > now ? evening : null;
}
