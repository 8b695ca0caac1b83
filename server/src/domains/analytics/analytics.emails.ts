import type { ListingMetrics } from '@handwise/contract/analytics/calls';
import { formatChange, formatMetrics } from '@handwise/contract/analytics/words';
import { addDays, formatDate } from '@handwise/contract/dates';
import { getAvailabilityQuery } from '@handwise/contract/listings/availability';
import { paths } from '@handwise/contract/paths';
import { site } from '@handwise/contract/site/site';
import { formatGreeting, type Mail } from '../../kit/mail/mail.ts';
import { sumMetrics } from './analytics.service.ts';

type Reader = { to: string; name: string; appUrl: string; end: NonNullable<Mail['end']> };
type WeeklyListing = { id: string; title: string; metrics: ListingMetrics };

/** Further listings are only counted. */
const maxShown = 10;

// Keeps a number and its word on one line.
const withNonBreakingSpaces = (metrics: ListingMetrics) => formatMetrics(metrics).replaceAll(/(\d) /g, '$1\u00a0');

const formatDay = (day: string) => formatDate(day, 'UTC');

/** Listings are sorted by views, highest first. */
export function weeklyEmail(
  reader: Reader,
  week: { from: string; until: string },
  listings: readonly WeeklyListing[],
  before: ListingMetrics,
  quotes: { sent: number; seen: number; accepted: number; declined: number; expired: number } | null,
): Mail {
  const total = sumMetrics(listings.map(({ metrics }) => metrics));
  const ordered = listings.toSorted((a, b) => b.metrics.views - a.metrics.views);
  const left = ordered.length - maxShown;
  const [first] = ordered;
  return {
    to: reader.to,
    subject: `Your week on ${site.name}: ${formatMetrics(total).replaceAll(' · ', ', ')}`,
    preview: `From ${formatDay(week.from)} to ${formatDay(week.until)}.`,
    greeting: formatGreeting(reader.name),
    blocks: [
      {
        kind: 'text',
        text: `Here is how your listings did from Monday, ${formatDay(week.from)}, to Sunday, ${formatDay(week.until)}.`,
      },
      {
        kind: 'facts',
        rows: [
          ...ordered.slice(0, maxShown).map(({ title, metrics }) => ({ label: title, value: withNonBreakingSpaces(metrics) })),
          ...(left > 0 ? [{ label: 'Other listings', value: `${left} more` }] : []),
          ...(ordered.length > 1 ? [{ label: 'Total', value: withNonBreakingSpaces(total), strong: true }] : []),
        ],
      },
      ...(quotes
        ? [
            {
              kind: 'text',
              text: `Quotes: ${quotes.sent} sent, ${quotes.seen} seen, ${quotes.accepted} accepted, ${quotes.declined} declined, ${quotes.expired} expired.`,
            } as const,
          ]
        : []),
      { kind: 'text', text: `Views: ${formatChange(total.views, before.views, 'in the week before').toLowerCase()}.` },
      {
        kind: 'button',
        label: ordered.length > 1 ? 'See your listings' : 'See day by day',
        url: reader.appUrl + (ordered.length > 1 ? paths.ownListings : paths.listingAnalytics(first?.id ?? '')),
      },
      ...(ordered.length === 1 && first
        ? [
            {
              kind: 'button' as const,
              label: 'Say that you have time this week',
              url: reader.appUrl + paths.ownListings + getAvailabilityQuery(first.id, addDays(week.from, 7)),
            },
          ]
        : []),
    ],
    end: reader.end,
    reason: 'You get this email on the Monday after a week in which people viewed your listings or looked at your quotes.',
  };
}
