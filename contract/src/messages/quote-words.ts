import { dateText } from '../dates.ts';

// Without schemas: visitors read these too.

/** When a household would like a job done, in the order in which it is asked. */
export const quoteTimes = {
  asap: 'As soon as possible',
  two_weeks: 'Within two weeks',
  flexible: 'I’m flexible',
  date: 'On a date',
} as const;
export type QuoteTime = keyof typeof quoteTimes;

/** When a job is wanted, as others read it. */
export const wantedText = (when: QuoteTime, date: string | null): string =>
  when === 'date' && date !== null ? `On ${dateText(date, 'UTC')}` : when === 'flexible' ? 'Any time' : quoteTimes[when];

/** What a job is about: "Plumbing, pipe repairs". */
export const tradeText = (category: string, subCategory: string | null): string =>
  subCategory === null || subCategory === category ? category : `${category}: ${subCategory}`;
