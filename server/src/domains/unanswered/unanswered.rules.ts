import { addDays, dayMs, getClock, getDay, getMoment } from '@handwise/contract/dates';
import type { Hours, Weekday } from '@handwise/contract/facts/hours';
import { unansweredHours } from '@handwise/contract/messages/reply-time';

const hourMs = 3_600_000;
const firstOpenMs = 4 * hourMs;
/** However seldom a business is open, it is reminded within this time. */
const longestFirstMs = 7 * dayMs;
const longestSecondMs = 8 * dayMs;

const weekdays: readonly Weekday[] = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const office: [string, string] = ['08:00', '18:00'];
/** Of a business that gives none. */
const usualHours: Hours = { mon: office, tue: office, wed: office, thu: office, fri: office };

type Opening = { from: number; until: number };

/** The openings of the days from that of a time on, in milliseconds. Around clock changes they are as long as the clocks make them. */
function* listOpenings(start: Date, hours: Hours, timeZone: string): Generator<Opening> {
  const today = getDay(start, timeZone);
  for (let later = 0; later * dayMs <= longestSecondMs + dayMs; later += 1) {
    const day = addDays(today, later);
    const open = hours[weekdays[getClock(getMoment(day, '12:00', timeZone), timeZone).weekday] ?? 'mon'];
    if (!open) continue;
    const [from, until] = open;
    const end = until === '24:00' ? getMoment(addDays(day, 1), '00:00', timeZone) : getMoment(day, until, timeZone);
    yield { from: getMoment(day, from, timeZone).getTime(), until: end.getTime() };
  }
}

/** The time at which a business has been open for so long since a start; with 0 the next moment at which it is open. */
function addOpenTime(start: Date, openMs: number, hours: Hours, timeZone: string): number {
  let left = openMs;
  for (const { from, until } of listOpenings(start, hours, timeZone)) {
    const begins = Math.max(from, start.getTime());
    if (begins >= until) continue;
    if (until - begins >= left) return begins + left;
    left -= until - begins;
  }
  return Infinity;
}

export type Steps = { first: Date; second: Date; household: Date };

/**
 * When a business is reminded of a message and its writer is told. The first reminder is after four hours of its opening times, the second after a day
 * once it is open, at least four open hours after the first. The household is told after a day, whenever the business opens.
 */
export function planSteps(at: Date, given: Hours | null, timeZone: string): Steps {
  const hours = given && Object.values(given).some((open) => open !== undefined) ? given : usualHours;
  const household = new Date(at.getTime() + unansweredHours * hourMs);
  const first = new Date(Math.min(addOpenTime(at, firstOpenMs, hours, timeZone), at.getTime() + longestFirstMs));
  const second = Math.max(addOpenTime(household, 0, hours, timeZone), addOpenTime(first, firstOpenMs, hours, timeZone));
  return { first, second: new Date(Math.min(second, at.getTime() + longestSecondMs)), household };
}

/** A step that was missed by more than this, because the site was off, is left out: nobody wants to be reminded of last month. */
const tooLateMs = 7 * dayMs;

type Row = {
  first_due_at: Date;
  second_due_at: Date;
  household_due_at: Date | null;
  first_sent_at: Date | null;
  second_sent_at: Date | null;
  household_told_at: Date | null;
};
export type Step = 'first' | 'second' | 'household';

/** The steps to do now, and when the next one is due. Of two missed reminders only the second is sent. */
export function listDueSteps(row: Row, now: Date): { due: Step[]; next: Date | null } {
  const all = [
    ['first', row.first_due_at, row.first_sent_at],
    ['second', row.second_due_at, row.second_sent_at],
    ['household', row.household_due_at, row.household_told_at],
  ] as const;
  const isDue = (at: Date | null) => at !== null && at <= now && now.getTime() - at.getTime() <= tooLateMs;
  const due = all.flatMap(([step, at, done]) => (isDue(at) && done === null ? [step] : []));
  const later = all.flatMap(([, at, done]) => (at !== null && at > now && done === null ? [at.getTime()] : []));
  return {
    due: row.second_due_at <= now ? due.filter((step) => step !== 'first') : due,
    next: later.length > 0 ? new Date(Math.min(...later)) : null,
  };
}
