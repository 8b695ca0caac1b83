import { dayOf } from '@handwise/contract/dates';
import { regions } from '@handwise/contract/places/regions';

// All midnights fall on a quarter of an hour.
const quarterMs = 15 * 60_000;
const zones = [...new Set(regions.map(({ timeZone }) => timeZone))];
const daysAt = (time: number) => [new Date(time).getFullYear(), ...zones.map((zone) => dayOf(new Date(time), zone))].join();

let known = { from: 0, until: 0 };

/** When a day begins next in one of the site's time zones: what a page says of the time ("3 days ago", the year) is the same until then. */
export function nextDay(now: number): number {
  if (now >= known.from && now < known.until) return known.until;
  const days = daysAt(now);
  let until = now - (now % quarterMs) + quarterMs;
  while (daysAt(until) === days) until += quarterMs;
  known = { from: now, until };
  return until;
}
