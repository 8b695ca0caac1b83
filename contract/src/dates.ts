/** A day as mails, invoices and pages write it, by the clocks of a time zone: "Jan 15, 2027" (MMM d, yyyy). */
export const dateText = (time: Date | string, timeZone: string) =>
  new Date(time).toLocaleDateString('en-US', { month: 'short', day: 'numeric', year: 'numeric', timeZone });

// "2027-01-15", which is midnight in UTC to `Date.parse`.
const dayNumber = (time: Date, timeZone: string) => Date.parse(time.toLocaleDateString('sv-SE', { timeZone })) / 86_400_000;

/** How many midnights of a time zone lie between two times: 0 on the same day, 1 from today to tomorrow, negative backwards. */
export const daysBetween = (from: Date, to: Date, timeZone: string) => dayNumber(to, timeZone) - dayNumber(from, timeZone);
