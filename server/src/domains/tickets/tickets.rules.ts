import { addDays, getDay, getMoment } from '@handwise/contract/dates';
import { drawTimeZone, closingClock } from '@handwise/contract/draws/prize';

/** `month` counts from 1. */
export type Month = { year: number; month: number };

/** As in URLs and log origins: 2026-11. */
export const formatMonth = ({ year, month }: Month) => `${year}-${String(month).padStart(2, '0')}`;

export function parseMonth(text: string): Month {
  const [year, month] = text.split('-').map(Number);
  return { year: year ?? 0, month: month ?? 0 };
}

const nextMonth = ({ year, month }: Month): Month => (month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 });
export const previousMonth = ({ year, month }: Month): Month => (month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 });

export const isMonthBefore = (one: Month, other: Month) => formatMonth(one) < formatMonth(other);

/** Half an hour before the end of the month's last day in the draw's time zone, also on days of clock changes. */
export const getClosingTime = (month: Month): Date =>
  getMoment(addDays(`${formatMonth(nextMonth(month))}-01`, -1), closingClock, drawTimeZone);

/** The month whose draw a ticket of this moment is for, unless that draw was run early. */
export function drawMonthAt(time: Date): Month {
  const month = parseMonth(getDay(time, drawTimeZone).slice(0, 7));
  return time < getClosingTime(month) ? month : nextMonth(month);
}

export type LastPeriod = Month & { closesAt: Date; closedAt: Date | null };

/**
 * The period that contains `now`: the current month, or the next one if its draw was run early. It starts when the previous month closed.
 */
export function nextPeriod(last: LastPeriod | undefined, now: Date): Month & { startsAt: Date; closesAt: Date } {
  const month = drawMonthAt(now);
  if (!last) return { ...month, startsAt: now, closesAt: getClosingTime(month) };
  const follower = isMonthBefore(last, month) ? month : nextMonth(last);
  const before = previousMonth(follower);
  const closed = formatMonth(before) === formatMonth(last) ? last.closedAt : null;
  const usual = getClosingTime(before);
  return { ...follower, startsAt: closed && closed < usual ? closed : usual, closesAt: getClosingTime(follower) };
}
