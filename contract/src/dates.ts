/** Making what writes a date takes longer than a hundred dates do, so it is made once for each time zone. */
function writerOf(locale: string, options: Intl.DateTimeFormatOptions) {
  const writers = new Map<string, Intl.DateTimeFormat>();
  return (time: Date, timeZone: string) => {
    let writer = writers.get(timeZone);
    if (!writer) writers.set(timeZone, (writer = new Intl.DateTimeFormat(locale, { ...options, timeZone })));
    return writer.format(time);
  };
}

const writeDate = writerOf('en-US', { month: 'short', day: 'numeric', year: 'numeric' });
const writeDay = writerOf('sv-SE', {});

/** A day as mails, invoices and pages write it, by the clocks of a time zone: "Jan 15, 2027" (MMM d, yyyy). */
export const dateText = (time: Date | string, timeZone: string) => writeDate(new Date(time), timeZone);

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
  const ahead = (time: number) => Date.parse(`${new Date(time).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`) - time;
  // Asked again at the first guess: on a day that changes the clocks, the offset at midnight in Greenwich may be the other one.
  return new Date(wanted - ahead(wanted - ahead(wanted)));
}
