import { dateText } from '@handwise/contract/dates';

/** By whose clocks the draw is held, for both countries. The contract has it too, but behind schemas that public pages do not load. */
const timeZone = 'Pacific/Auckland';

const clock = new Intl.DateTimeFormat('en-NZ', { hour: 'numeric', minute: 'numeric', hourCycle: 'h23', timeZone });

/** "Oct 31, 2026, 11:30 pm". Put together by hand: servers and browsers write times of day with different spaces. */
export function momentText(iso: string): string {
  const parts = clock.formatToParts(new Date(iso));
  const part = (type: 'hour' | 'minute') => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const hour = part('hour');
  const half = hour < 12 ? 'am' : 'pm';
  return `${dateText(iso, timeZone)}, ${hour % 12 || 12}:${String(part('minute')).padStart(2, '0')} ${half}`;
}

export const dayText = (iso: string) => dateText(iso, timeZone);

/** "October 2026"; the month counts from 1. */
export const monthText = (year: number, month: number) =>
  new Date(Date.UTC(year, month - 1)).toLocaleDateString('en-NZ', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export type Countdown = { days: number; hours: number; minutes: number; seconds: number };

/** What is left until a moment, in whole units; nothing but zeros once it is over. */
export function countdown(until: string, now: number): Countdown {
  const left = Math.max(0, Math.floor((Date.parse(until) - now) / 1000));
  return { days: Math.floor(left / 86_400), hours: Math.floor(left / 3600) % 24, minutes: Math.floor(left / 60) % 60, seconds: left % 60 };
}
