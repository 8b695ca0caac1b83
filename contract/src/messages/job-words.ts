import { formatDate } from '../dates.ts';

// Without schemas, because the page for visitors imports these words.

/** In the order of the form. */
export const jobTimes = {
  asap: 'As soon as possible',
  two_weeks: 'Within two weeks',
  flexible: 'I’m flexible',
  date: 'On a date',
} as const;
export type JobTime = keyof typeof jobTimes;

export const formatWanted = (when: JobTime, date: string | null): string =>
  when === 'date' && date !== null ? `On ${formatDate(date, 'UTC')}` : when === 'flexible' ? 'Any time' : jobTimes[when];

/** What a job is about: "Plumbing, pipe repairs". */
export const formatTrade = (category: string, subCategory: string | null): string =>
  subCategory === null || subCategory === category ? category : `${category}: ${subCategory}`;
