import { dateText } from '@handwise/contract/dates';
import { changeText, figuresLine } from '@handwise/contract/figures/words';
import type { Figures } from '@handwise/contract/figures/calls';
import { paths } from '@handwise/contract/paths';
import { siteName } from '@handwise/contract/site/name';
import { greetingOf } from '../../kit/mail/mail-words.ts';
import type { Mail } from '../../kit/mail/mail.ts';
import { sumOf } from './figures.days.ts';

type Reader = { to: string; name: string; appUrl: string; end: NonNullable<Mail['end']> };
type Did = { id: string; title: string; figures: Figures };

/** More of them are counted, not shown. */
const shownAtMost = 10;

// A number and its word stay in one line.
const together = (figures: Figures) => figuresLine(figures).replaceAll(/(\d) /g, '$1\u00a0');

const dayText = (day: string) => dateText(day, 'UTC');

/** What listings came to in a week, the one with the most views first. */
export function weeklyMail(reader: Reader, week: { from: string; until: string }, listings: readonly Did[], before: Figures): Mail {
  const total = sumOf(listings.map(({ figures }) => figures));
  const ordered = listings.toSorted((a, b) => b.figures.views - a.figures.views);
  const left = ordered.length - shownAtMost;
  const [first] = ordered;
  return {
    to: reader.to,
    subject: `Your week on ${siteName}: ${figuresLine(total).replaceAll(' · ', ', ')}`,
    preview: `From ${dayText(week.from)} to ${dayText(week.until)}.`,
    greeting: greetingOf(reader.name),
    blocks: [
      {
        kind: 'text',
        text: `Here is how your listings did from Monday, ${dayText(week.from)}, to Sunday, ${dayText(week.until)}.`,
      },
      {
        kind: 'facts',
        rows: [
          ...ordered.slice(0, shownAtMost).map(({ title, figures }) => ({ label: title, value: together(figures) })),
          ...(left > 0 ? [{ label: 'Other listings', value: `${left} more` }] : []),
          ...(ordered.length > 1 ? [{ label: 'Total', value: together(total), strong: true }] : []),
        ],
      },
      { kind: 'text', text: `Views: ${changeText(total.views, before.views, 'in the week before').toLowerCase()}.` },
      {
        kind: 'button',
        label: ordered.length > 1 ? 'See your listings' : 'See day by day',
        url: reader.appUrl + (ordered.length > 1 ? paths.ownListings : paths.listingFigures(first?.id ?? '')),
      },
    ],
    end: reader.end,
    reason: 'You get this email on the Monday after a week in which people viewed your listings.',
  };
}
