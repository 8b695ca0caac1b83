/** The time zone of the monthly draw and of everything else without a region or country. */
export const siteTimeZone = 'Pacific/Auckland';

/** The length of a day, except for the two days a year when clocks change. */
export const dayMs = 86_400_000;

let own: string | undefined;
/** The reader's time zone. Read once, because creating the formatter takes a phone longer than formatting a page of times. */
export const ownTimeZone = () => (own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);

/**
 * Returns a formatter of times. Creating an `Intl.DateTimeFormat` takes longer than formatting a hundred times, so each time zone's is
 * created when first used and then reused.
 */
export function timeWriter(locale: 'en-NZ' | 'en-US' | 'sv-SE', options: Intl.DateTimeFormatOptions) {
  const writers = new Map<string, Intl.DateTimeFormat>();
  return (time: Date | string | number, timeZone: string) => {
    let writer = writers.get(timeZone);
    if (!writer) writers.set(timeZone, (writer = new Intl.DateTimeFormat(locale, { ...options, timeZone })));
    return writer.format(new Date(time));
  };
}

const writeDate = timeWriter('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const writeDay = timeWriter('sv-SE', {});
const writeMoment = timeWriter('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
const writeClock = timeWriter('en-NZ', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const writeMonth = timeWriter('en-NZ', { month: 'long', year: 'numeric' });

/** A date in emails, invoices and pages: "Jan 15, 2027" (MMM d, yyyy). */
export const formatDate = (time: Date | string, timeZone: string) => writeDate(time, timeZone);

/** A time of day: "11:30 pm". Not from `Intl`, because servers and browsers use different spaces. */
export function formatClock(time: Date | string, timeZone: string): string {
  const [hour = '', minute = ''] = writeClock(time, timeZone).split(':');
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'am' : 'pm'}`;
}

/** A date and time in emails and pages: "Jan 15, 2027, 11:30 pm". */
export const formatMoment = (time: Date | string, timeZone: string) => `${formatDate(time, timeZone)}, ${formatClock(time, timeZone)}`;

/** A time zone in a sentence: "New Zealand time", "Perth time". */
export const formatTimeZone = (timeZone: string) =>
  `${timeZone === siteTimeZone ? 'New Zealand' : timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;

/** "November 2026"; the month counts from 1. */
export const monthName = (year: number, month: number) => writeMonth(Date.UTC(year, month - 1), 'UTC');

/** "November 2026" from "2026-11". */
export const periodName = (period: string) => writeMonth(`${period}-01`, 'UTC');

/** The local date: "2027-01-15", which `Date.parse` reads as midnight UTC. */
export const getDay = (time: Date, timeZone: string) => writeDay(time, timeZone);

/** The local date, weekday (0 is Sunday), hour (0 to 23) and time ("07:30"). */
export function getClock(time: Date, timeZone: string): { day: string; weekday: number; hour: number; clock: string } {
  const [day = '', clock = ''] = writeMoment(time, timeZone).split(' ');
  return { day, weekday: new Date(day).getUTCDay(), hour: Number(clock.slice(0, 2)), clock: clock.slice(0, 5) };
}

/** Adds days to a date such as "2027-01-15"; negative numbers go back. */
export const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

const getDayNumber = (time: Date, timeZone: string) => Date.parse(getDay(time, timeZone)) / dayMs;

/** The number of local midnights from one time to another: 0 on the same day, 1 from today to tomorrow, negative backwards. */
export const daysBetween = (from: Date, to: Date, timeZone: string) => getDayNumber(to, timeZone) - getDayNumber(from, timeZone);

/** The time at which local clocks show "23:30" on "2029-09-30". A time that a clock change skips is moved forward by the change. */
export function getMoment(day: string, clock: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T${clock}Z`);
  const ahead = (time: number) => Date.parse(`${writeMoment(time, timeZone).replace(' ', 'T')}Z`) - time;
  // The offset is read again at the first result, because it can differ from the one at that time in UTC on a day when clocks change.
  return new Date(wanted - ahead(wanted - ahead(wanted)));
}

/** The end of the day a number of working days, Monday to Friday, after a time. */
export function addWorkingDays(from: Date, days: number, timeZone: string): Date {
  let day = getDay(from, timeZone);
  for (let left = days; left > 0;) {
    day = addDays(day, 1);
    if (![0, 6].includes(new Date(day).getUTCDay())) left -= 1;
  }
  return getMoment(addDays(day, 1), '00:00', timeZone);
}
