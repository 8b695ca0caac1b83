import { getClock } from '../dates.ts';

// Opening hours in words, apart from the other texts because each page of a listing loads them.

export const weekdays = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' } as const;
export type Weekday = keyof typeof weekdays;
/** Opening and closing time per open day: `{ "mon": ["07:30", "17:00"] }`. */
export type Hours = { [day in Weekday]?: [string, string] | undefined };

const days = Object.keys(weekdays) as Weekday[];

/** "7:30 am" from "07:30"; "24:00" is midnight. */
function formatTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  if (hour % 24 === 0 && minute === 0) return 'midnight';
  return `${hour % 12 || 12}${minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`} ${hour % 24 < 12 ? 'am' : 'pm'}`;
}

const formatOpening = ([from, until]: [string, string]) =>
  from === '00:00' && until === '24:00' ? 'all day' : `${formatTime(from)} to ${formatTime(until)}`;

/** One line per run of days with the same hours: `{ days: "Mon to Fri", times: "7:30 am to 5 pm" }`. Closed days are omitted. */
export function formatHours(hours: Hours): { days: string; times: string }[] {
  const lines: { first: Weekday; last: Weekday; times: string }[] = [];
  for (const [place, day] of days.entries()) {
    const open = hours[day];
    if (!open) continue;
    const times = formatOpening(open);
    const before = lines.at(-1);
    if (before && before.times === times && days.indexOf(before.last) === place - 1) before.last = day;
    else lines.push({ first: day, last: day, times });
  }
  return lines.map(({ first, last, times }) => ({
    days: first === last ? weekdays[first] : `${weekdays[first]} to ${weekdays[last]}`,
    times,
  }));
}

/**
 * Whether a business is open now, and until or from when, in its time zone: "Open now, until 5 pm", "Closed now, opens Mon at 7:30 am".
 * Hours that continue after midnight are one opening.
 */
export function getOpeningState(hours: Hours, now: Date, timeZone: string): { isOpen: boolean; text: string } {
  const { weekday, clock } = getClock(now, timeZone);
  const dayIn = (later: number) => days[(weekday + 6 + later) % 7] ?? 'mon';
  const today = hours[dayIn(0)];
  if (today && today[0] <= clock && clock < today[1]) {
    let [, until] = today;
    // For hours that continue after midnight, the end is named only if it is on the next day.
    const next = hours[dayIn(1)];
    if (until === '24:00' && next?.[0] === '00:00') [, until] = next;
    return { isOpen: true, text: until === '24:00' && next?.[0] === '00:00' ? 'Open now' : `Open now, until ${formatTime(until)}` };
  }
  for (let later = 0; later <= 7; later += 1) {
    const from = hours[dayIn(later)]?.[0];
    if (from === undefined || (later === 0 && from <= clock)) continue;
    const day = ['', ' tomorrow'][later] ?? ` ${weekdays[dayIn(later)]}`;
    return { isOpen: false, text: `Closed now, opens${day} at ${formatTime(from)}` };
  }
  return { isOpen: false, text: 'Closed now' };
}
