import { dateText, momentText, siteTimeZone } from '@handwise/contract/dates';

// The draw's own time zone stands behind schemas, which public pages do not load; it is this one.

/** A moment by the clocks that decide: "Oct 31, 2026, 11:30 pm". */
export const drawMoment = (iso: string) => momentText(iso, siteTimeZone);

export const dayText = (iso: string) => dateText(iso, siteTimeZone);

export type Countdown = { days: number; hours: number; minutes: number; seconds: number };

/** What is left until a moment, in whole units; nothing but zeros once it is over. */
export function countdown(until: string, now: number): Countdown {
  const left = Math.max(0, Math.floor((Date.parse(until) - now) / 1000));
  return { days: Math.floor(left / 86_400), hours: Math.floor(left / 3600) % 24, minutes: Math.floor(left / 60) % 60, seconds: left % 60 };
}
