import { formatClock, formatDate, formatTimeZone, timeWriter } from '../dates.ts';

// Without schemas, because the card in a conversation imports these words.

export const maxVisitTimes = 3;
export const minVisitMinutes = 15;
export const maxVisitMinutes = 8 * 60;
/** How far ahead a visit may be. */
export const maxVisitDays = 60;
export const maxVisitNoteLength = 300;
/** The local time, on the day before, at which both sides are reminded. */
export const visitReminderClock = '18:00';

/** An agreed visit stays agreed while another time is proposed; a proposal lapses when its last time has begun. */
export const visitStates = {
  proposed: 'Proposed',
  asked: 'Other times wanted',
  agreed: 'Agreed',
  cancelled: 'Cancelled',
  lapsed: 'Times have passed',
} as const;
export type VisitState = keyof typeof visitStates;

export type VisitTime = { start: string; minutes: number };

const writeWeekday = timeWriter('en-US', { weekday: 'short' });
const minuteMs = 60_000;

export const getVisitEnd = (start: Date | string, minutes: number) => new Date(new Date(start).getTime() + minutes * minuteMs);

/** "Tue, Dec 8, 2026, 10:00 am to 11:30 am" on the clocks of a time zone. */
export function formatVisitTime({ start, minutes }: { start: Date | string; minutes: number }, timeZone: string): string {
  const day = `${writeWeekday(start, timeZone)}, ${formatDate(start, timeZone)}`;
  return `${day}, ${formatClock(start, timeZone)} to ${formatClock(getVisitEnd(start, minutes), timeZone)}`;
}

/** "45 minutes", "1 hour", "1½ hours", "2 hours 15 minutes". */
export function formatVisitLength(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} minutes`;
  if (rest === 30) return `${hours}½ hours`;
  return [hours === 1 ? '1 hour' : `${hours} hours`, rest > 0 && `${rest} minutes`].filter(Boolean).join(' ');
}

type Shown = { times: readonly VisitTime[]; timeZone: string };

const listTimes = ({ times, timeZone }: Shown) => times.map((time) => `• ${formatVisitTime(time, timeZone)}`).join('\n');

// The texts of the messages that carry a visit, as both sides read them.
export const visitMessages = {
  proposed: (shown: Shown) => `Times for a visit, ${formatTimeZone(shown.timeZone)}:\n${listTimes(shown)}`,
  moving: (agreed: VisitTime, shown: Shown) =>
    `Could the visit on ${formatVisitTime(agreed, shown.timeZone)} move? Times, ${formatTimeZone(shown.timeZone)}:\n${listTimes(shown)}`,
  taken: (time: VisitTime, timeZone: string) => `Visit agreed: ${formatVisitTime(time, timeZone)}.`,
  moved: (time: VisitTime, timeZone: string) => `Visit moved to ${formatVisitTime(time, timeZone)}.`,
  asked: (note: string) => ['None of these times suits me. Could you propose others?', note].filter(Boolean).join('\n\n'),
  stays: (time: VisitTime, timeZone: string, note: string) =>
    [`None of these times suits me. The visit stays on ${formatVisitTime(time, timeZone)}.`, note].filter(Boolean).join('\n\n'),
  cancelled: (time: VisitTime | null, timeZone: string, reason: string) =>
    [time ? `Visit on ${formatVisitTime(time, timeZone)} cancelled.` : 'No visit for now: the proposed times no longer stand.', reason]
      .filter(Boolean)
      .join('\n\n'),
};
