/** By whose clocks the month's draw closes, and whatever else belongs to neither a region nor a country. */
export const siteTimeZone = 'Pacific/Auckland';

/** As long as most days: on two days of a year the clocks change. */
export const dayMs = 86_400_000;

let own: string | undefined;
/** By whose clocks somebody reads. Asked once: making what knows it takes a phone longer than writing a page of times. */
export const ownTimeZone = () => (own ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);

/**
 * What writes times in one way by the clocks of a time zone. Making the browser's own takes longer than a hundred times do, so it is
 * made where it is first needed, once for each time zone.
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

/** A day as mails, invoices and pages write it, by the clocks of a time zone: "Jan 15, 2027" (MMM d, yyyy). */
export const formatDate = (time: Date | string, timeZone: string) => writeDate(time, timeZone);

/** A time of day: "11:30 pm". Put together by hand: servers and browsers write it with different spaces. */
export function formatClock(time: Date | string, timeZone: string): string {
  const [hour = '', minute = ''] = writeClock(time, timeZone).split(':');
  return `${Number(hour) % 12 || 12}:${minute} ${Number(hour) < 12 ? 'am' : 'pm'}`;
}

/** A day and a time of it as mails and pages write them: "Jan 15, 2027, 11:30 pm". */
export const formatMoment = (time: Date | string, timeZone: string) => `${formatDate(time, timeZone)}, ${formatClock(time, timeZone)}`;

/** Whose clocks a time zone's are, for a sentence that names a time: "New Zealand time", "Perth time". */
export const clocksName = (timeZone: string) =>
  `${timeZone === siteTimeZone ? 'New Zealand' : timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;

/** "November 2026"; the month counts from 1. */
export const monthName = (year: number, month: number) => writeMonth(Date.UTC(year, month - 1), 'UTC');

/** The same of "2026-11". */
export const periodName = (period: string) => writeMonth(`${period}-01`, 'UTC');

/** The day of a time by the clocks of a time zone: "2027-01-15", which is midnight in UTC to `Date.parse`. */
export const getDay = (time: Date, timeZone: string) => writeDay(time, timeZone);

/** What the clocks of a time zone show: the day, its weekday, of which Sunday is 0, its hour from 0, and "07:30". */
export function getClock(time: Date, timeZone: string): { day: string; weekday: number; hour: number; clock: string } {
  const [day = '', clock = ''] = writeMoment(time, timeZone).split(' ');
  return { day, weekday: new Date(day).getUTCDay(), hour: Number(clock.slice(0, 2)), clock: clock.slice(0, 5) };
}

/** So many days after a day; negative before it. */
export const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

const getDayNumber = (time: Date, timeZone: string) => Date.parse(getDay(time, timeZone)) / dayMs;

/** How many midnights of a time zone lie between two times: 0 on the same day, 1 from today to tomorrow, negative backwards. */
export const daysBetween = (from: Date, to: Date, timeZone: string) => getDayNumber(to, timeZone) - getDayNumber(from, timeZone);

/** The moment when the clocks of a time zone show a time of a day: "2029-09-30", "23:30". Where clocks are put on over it, as far behind. */
export function getMoment(day: string, clock: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T${clock}Z`);
  const ahead = (time: number) => Date.parse(`${writeMoment(time, timeZone).replace(' ', 'T')}Z`) - time;
  // Asked again at the first guess: on a day that changes the clocks, the offset at midnight in Greenwich may be the other one.
  return new Date(wanted - ahead(wanted - ahead(wanted)));
}
