import { dateText, timeWriter } from '@handwise/contract/dates';

/** By whose clocks the draw is held, for both countries. The contract has it too, but behind schemas that public pages do not load. */
const timeZone = 'Pacific/Auckland';

const writeClock = timeWriter('en-NZ', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** "Oct 31, 2026, 11:30 pm". Put together by hand: servers and browsers write times of day with different spaces. */
export function momentText(iso: string): string {
  const [hour = '', minute = ''] = writeClock(iso, timeZone).split(':');
  const half = Number(hour) < 12 ? 'am' : 'pm';
  return `${dateText(iso, timeZone)}, ${Number(hour) % 12 || 12}:${minute} ${half}`;
}

export const dayText = (iso: string) => dateText(iso, timeZone);

export type Countdown = { days: number; hours: number; minutes: number; seconds: number };

/** What is left until a moment, in whole units; nothing but zeros once it is over. */
export function countdown(until: string, now: number): Countdown {
  const left = Math.max(0, Math.floor((Date.parse(until) - now) / 1000));
  return { days: Math.floor(left / 86_400), hours: Math.floor(left / 3600) % 24, minutes: Math.floor(left / 60) % 60, seconds: left % 60 };
}
