import { daysBetween } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { count } from '@handwise/contract/numbers';

// The contract has these too, but behind schemas that the small pages do not load.
const currencies = { NZ: 'NZD', AU: 'AUD' } as const satisfies Record<CountryCode, string>;

export const currencyOf = (country: CountryCode) => currencies[country];

/** "4.8", and "0.0" where there is nothing yet. */
export const rating = (average: number) => average.toFixed(1);

/** "Today", "Yesterday", "5 days ago", by the clocks of a time zone. Depends on the time: never in what the server renders. */
export function age(iso: string, now: Date, timeZone: string): string {
  const days = daysBetween(new Date(iso), now, timeZone);
  if (days <= 0) return 'Today';
  return days === 1 ? 'Yesterday' : `${count(days)} days ago`;
}

/** "5MB" */
export const megabytes = (bytes: number) => `${bytes / 1024 / 1024}MB`;
