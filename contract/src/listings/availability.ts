import { addDays, formatDate } from '../dates.ts';

// Without schemas, because cards and pages of listings load it.

export const availabilityStates = ['this_week', 'next_week', 'booked_until'] as const;
export type AvailabilityState = (typeof availabilityStates)[number];

/** `until` is the last day it holds, in the time zone of the listing: "2026-12-20". */
export type Availability = { state: AvailabilityState; until: string };

export const maxBookedDays = 90;

/** The Monday of a day's week. */
export const getMonday = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7));

/** "Available this week", "Booked until Dec 20, 2026" */
export function formatAvailability({ state, until }: Availability): string {
  if (state === 'booked_until') return `Booked until ${formatDate(until, 'UTC')}`;
  return state === 'this_week' ? 'Available this week' : 'Available next week';
}

/** The state that makes a listing available in the week of a Monday, as of today; null if that week is over or too far ahead. */
export function getStateOfWeek(monday: string, today: string): 'this_week' | 'next_week' | null {
  const current = getMonday(today);
  if (monday === current) return 'this_week';
  return monday === addDays(current, 7) ? 'next_week' : null;
}

/** My Listings with the choice to say that a listing is available in the week of a Monday; opening it changes nothing. */
export const getAvailabilityQuery = (listingId: string, monday: string) => `?listing=${listingId}&week=${monday}`;
