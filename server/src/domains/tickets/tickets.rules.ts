import { addDays, dayOf, momentOf } from '@handwise/contract/dates';
import { closingClock } from '@handwise/contract/draws/prize';
import { drawTimeZone } from '@handwise/contract/tickets/calls';

/** A month of the draw, 1 to 12. */
export type Month = { year: number; month: number };

/** As addresses and the log's name have it: 2026-11. */
export const monthText = ({ year, month }: Month) => `${year}-${String(month).padStart(2, '0')}`;

export function monthOf(text: string): Month {
  const [year, month] = text.split('-').map(Number);
  return { year: year ?? 0, month: month ?? 0 };
}

const nextMonth = ({ year, month }: Month): Month => (month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 });
export const monthBefore = ({ year, month }: Month): Month => (month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 });

/** Whether a month comes before another one. */
export const isBefore = (one: Month, other: Month) => monthText(one) < monthText(other);

/** When a month's entries close: half an hour before the end of its last day, whatever the clocks do on it. */
export const closingOf = (month: Month): Date => momentOf(addDays(`${monthText(nextMonth(month))}-01`, -1), closingClock, drawTimeZone);

/** The month whose draw a ticket of this moment is for, as long as nobody ran that draw early. */
export function monthAt(time: Date): Month {
  const month = monthOf(dayOf(time, drawTimeZone).slice(0, 7));
  return time < closingOf(month) ? month : nextMonth(month);
}

export type LastPeriod = Month & { closesAt: Date; closedAt: Date | null };

/**
 * The period that begins at a moment, after the last one that there was: the month by the clocks, or where its draw has been run
 * early, the one after it. It begins where the month before it closed.
 */
export function periodAfter(last: LastPeriod | undefined, now: Date): Month & { startsAt: Date; closesAt: Date } {
  const month = monthAt(now);
  if (!last) return { ...month, startsAt: now, closesAt: closingOf(month) };
  const follower = isBefore(last, month) ? month : nextMonth(last);
  const before = monthBefore(follower);
  const closed = monthText(before) === monthText(last) ? last.closedAt : null;
  const usual = closingOf(before);
  return { ...follower, startsAt: closed && closed < usual ? closed : usual, closesAt: closingOf(follower) };
}
