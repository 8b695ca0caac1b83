import { timeWriter } from '@handwise/contract/dates';
import type { ListingMetrics, ListingAnalytics } from '@handwise/contract/analytics/calls';
import { count, counted } from '@handwise/contract/numbers';

export type MetricKind = keyof ListingMetrics;

export const metricKinds: readonly { kind: MetricKind; name: string; one: string; hint: string }[] = [
  { kind: 'views', name: 'Views', one: 'view', hint: 'How often the page was viewed. The same visitor counts once in half an hour.' },
  {
    kind: 'visitors',
    name: 'Visitors',
    one: 'visitor',
    hint: 'Each person counts once a day, so somebody who visits on two days counts twice.',
  },
  { kind: 'saves', name: 'Saves', one: 'save', hint: 'People who saved the listing then and still have it.' },
  { kind: 'messages', name: 'Messages', one: 'message', hint: 'Messages from customers about this listing.' },
];

const writeShort = timeWriter('en-US', { month: 'short', day: 'numeric' });
const writeLong = timeWriter('en-US', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** "Nov 22" */
export const shortDay = (day: string) => writeShort(day, 'UTC');
/** "Sun, Nov 22, 2026" */
export const longDay = (day: string) => writeLong(day, 'UTC');

/** The chart in words, for screen readers. */
export function chartSummary({ days, total }: ListingAnalytics, { kind, one }: { kind: MetricKind; one: string }): string {
  const best = days.reduce((highest, day) => (day[kind] > highest[kind] ? day : highest));
  const said = `${counted(total[kind], one)} in ${days.length} days`;
  return best[kind] === 0 ? `${said}.` : `${said}, most on ${longDay(best.day)}: ${count(best[kind])}.`;
}

export const isNothing = ({ total, before }: ListingAnalytics): boolean =>
  [total, before].every((metrics) => Object.values(metrics).every((value) => value === 0));
