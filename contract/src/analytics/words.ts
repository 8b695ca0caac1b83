import { count, counted } from '../numbers.ts';

// Without schemas, to keep them out of page scripts.

/** The periods on offer. */
export const analyticsDays = [7, 30, 90] as const;
/** The period of listing cards. */
export const defaultAnalyticsDays = 30;

type Metrics = Record<'views' | 'saves' | 'messages' | 'numbersShown', number>;

/** "120 views · 3 saves · 1 message · number shown to 2 people" */
export const formatMetrics = ({ views, saves, messages, numbersShown }: Metrics): string =>
  [
    counted(views, 'view'),
    counted(saves, 'save'),
    counted(messages, 'message'),
    // Most businesses give no number.
    ...(numbersShown > 0 ? [`number shown to ${numbersShown === 1 ? '1 person' : `${count(numbersShown)} people`}`] : []),
  ].join(' · ');

/** "12% more than in the 30 days before (45)" */
export function formatChange(now: number, before: number, then: string): string {
  if (before === 0) return now === 0 ? `None ${then} either` : `None ${then}`;
  const percent = Math.round((Math.abs(now - before) / before) * 100);
  if (now === before) return `As many as ${then}`;
  if (percent === 0) return `About as many as ${then} (${count(before)})`;
  return `${count(percent)}% ${now > before ? 'more' : 'fewer'} than ${then} (${count(before)})`;
}
