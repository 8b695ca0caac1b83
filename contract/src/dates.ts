/**
 * What writes times in one way: by the clocks of a time zone, or without one by those of whoever reads. Making the browser's own takes
 * longer than a hundred times do, so it is made where it is first needed, once for each time zone.
 */
export function timeWriter(locale: 'en-NZ' | 'en-US' | 'sv-SE', options: Intl.DateTimeFormatOptions) {
  const writers = new Map<string | undefined, Intl.DateTimeFormat>();
  return (time: Date | string | number, timeZone?: string) => {
    let writer = writers.get(timeZone);
    if (!writer) writers.set(timeZone, (writer = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) })));
    return writer.format(new Date(time));
  };
}

const writeDate = timeWriter('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const writeDay = timeWriter('sv-SE', {});
const writeMoment = timeWriter('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
const writeMonth = timeWriter('en-NZ', { month: 'long', year: 'numeric' });

/** A day as mails, invoices and pages write it, by the clocks of a time zone: "Jan 15, 2027" (MMM d, yyyy). */
export const dateText = (time: Date | string, timeZone: string) => writeDate(time, timeZone);

/** "November 2026"; the month counts from 1. */
export const monthName = (year: number, month: number) => writeMonth(Date.UTC(year, month - 1), 'UTC');

/** The same of "2026-11". */
export const periodName = (period: string) => writeMonth(`${period}-01`, 'UTC');

/** The day of a time by the clocks of a time zone: "2027-01-15", which is midnight in UTC to `Date.parse`. */
export const dayOf = (time: Date, timeZone: string) => writeDay(time, timeZone);

/** So many days after a day; negative before it. */
export const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

const dayNumber = (time: Date, timeZone: string) => Date.parse(dayOf(time, timeZone)) / 86_400_000;

/** How many midnights of a time zone lie between two times: 0 on the same day, 1 from today to tomorrow, negative backwards. */
export const daysBetween = (from: Date, to: Date, timeZone: string) => dayNumber(to, timeZone) - dayNumber(from, timeZone);

/** The moment when the clocks of a time zone show a time of a day: "2029-09-30", "23:30". Where clocks are put on over it, as far behind. */
export function momentOf(day: string, clock: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T${clock}Z`);
  const ahead = (time: number) => Date.parse(`${writeMoment(time, timeZone).replace(' ', 'T')}Z`) - time;
  // Asked again at the first guess: on a day that changes the clocks, the offset at midnight in Greenwich may be the other one.
  return new Date(wanted - ahead(wanted - ahead(wanted)));
}
