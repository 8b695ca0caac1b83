import { daysBetween } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { count } from '@handwise/contract/numbers';
import type { MainCategory, mainCategoryNames } from '@handwise/contract/listings/categories';

// The contract has these too, but behind schemas that the small pages do not load.
const currencies = { NZ: 'NZD', AU: 'AUD' } as const satisfies Record<CountryCode, string>;

export const getCurrency = (country: CountryCode) => currencies[country];

/** "4.8", and "0.0" without reviews. */
export const formatRating = (average: number) => average.toFixed(1);

/** "Today", "Yesterday", "5 days ago", in a time zone. Depends on the time: never in server-rendered HTML. */
export function formatAge(iso: string, now: Date, timeZone: string): string {
  const days = daysBetween(new Date(iso), now, timeZone);
  if (days <= 0) return 'Today';
  return days === 1 ? 'Yesterday' : `${count(days)} days ago`;
}

/** "5MB" */
export const formatMegabytes = (bytes: number) => `${bytes / 1024 / 1024}MB`;

export const excerptLength = 120;

/** The start of a text, cut at a word, or within the word if there is only one. */
export function getExcerpt(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()];
  if (letters.length <= excerptLength) return letters.join('');
  // If the letter after the limit is a space, the last word fits completely.
  const space = letters.lastIndexOf(' ', excerptLength);
  const excerpt = letters.slice(0, space > 0 ? space : excerptLength).join('');
  return `${excerpt.replace(/(?<![\s,;:–-])[\s,;:–-]+$/, '')}…`;
}

const minuteMs = 60_000;

/** The time left until a moment, in whole units; zeros afterwards. */
export function getTimeLeft(until: string, now: number) {
  const seconds = Math.max(0, Math.floor((Date.parse(until) - now) / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}

/** The milliseconds until the number of minutes changes; null once the moment has come. */
export function getNextMinuteMs(until: string, now: number): number | null {
  const left = Date.parse(until) - now;
  return left <= 0 ? null : (left % minuteMs) + 1;
}

// The contract has these behind its schemas, which the header and the directory do not load.
export const mainNames: typeof mainCategoryNames = { domestic: 'Domestic', trade: 'Trade', other: 'Other' };
export const mainOrder: readonly MainCategory[] = ['domestic', 'trade', 'other'];
