import { formatDate, daysBetween } from '@handwise/contract/dates';
import { formatAvailability, getAvailabilityQuery } from '@handwise/contract/listings/availability';
import { paths } from '@handwise/contract/paths';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { site } from '@handwise/contract/site/site';
import { formatGreeting, type Mail, type MailBlock } from '../../kit/mail/mail.ts';
import { type EndingAvailability, getWeekKey } from './selling.availability.ts';

type Reader = { to: string; name: string; appUrl: string };
type Named = { id: string; title: string };
/** `isOpen`: whether it can be reactivated once its plan has ended. */
type Ended = Named & { isOpen: boolean };

export const listingLiveEmail = (
  reader: Reader,
  listing: Named & { number: number; planName: string; endsAt: Date; timeZone: string },
): Mail => ({
  to: reader.to,
  subject: `Your listing is live on ${site.name}`,
  // Accounts can be created with any email address.
  limit: { kind: 'listing.live', perHour: 3 },
  preview: 'People near you can find and message you now.',
  greeting: formatGreeting(reader.name),
  blocks: [
    { kind: 'text', text: 'Your listing is published. People near you can find and message you now.' },
    {
      kind: 'facts',
      rows: [
        { label: 'Listing', value: listing.title },
        { label: 'Number', value: `#${listing.number}` },
        { label: 'Plan', value: listing.planName },
        { label: 'Runs until', value: formatDate(listing.endsAt, listing.timeZone) },
      ],
    },
    { kind: 'button', label: 'See your listing', url: reader.appUrl + paths.listing(listing.id) },
    { kind: 'note', text: 'Photos of your own work help people choose. You can add and change them at any time.' },
  ],
});

const button = (reader: Reader, path: string, label: string): MailBlock => ({ kind: 'button', label, url: reader.appUrl + path });
const hasOpen = (listings: readonly Ended[]) => listings.some(({ isOpen }) => isOpen);
const reactivateButtons = (reader: Reader, listings: readonly Ended[]) =>
  listings.filter(({ isOpen }) => isOpen).map(({ id, title }) => button(reader, paths.reactivateListing(id), `Reactivate “${title}”`));

const closedNote = 'We take no listings of this trade or in this country at the moment, so it cannot be started again.';

const several = (listings: readonly Named[]) => (listings.length === 1 ? 'Your listing' : `Your ${listings.length} listings`);

type Ending = Ended & { timeZone: string };

// Relative to the day of reading, because a server that was down sends late.
const relativeDay = (days: number) => (days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`);

/** Sent seven days and one day before the end, which may be two dates when listings are in different time zones. */
export function listingsEndingEmail(reader: Reader, listings: readonly [Ending, ...Ending[]], endsAt: Date, now: Date): Mail {
  const days = Map.groupBy(listings, ({ timeZone }) => formatDate(endsAt, timeZone));
  const plans = [...days].map(([day, ending]) => `The plan for ${ending.map(({ title }) => `“${title}”`).join(', ')} runs until ${day}.`);
  const [first] = listings;
  const when = relativeDay(daysBetween(now, endsAt, first.timeZone));
  return {
    to: reader.to,
    subject: `${several(listings)} on ${site.name} ${listings.length === 1 ? 'ends' : 'end'} ${when}`,
    preview: `The plan runs until ${formatDate(endsAt, first.timeZone)}.`,
    greeting: formatGreeting(reader.name),
    blocks: [
      { kind: 'text', text: `${plans.join(' ')} Nothing renews by itself, and nothing is charged.` },
      ...(hasOpen(listings)
        ? [
            {
              kind: 'text' as const,
              text: `To start a new period of ${subscriptionDays} days now, choose a plan. Unused days of the old one come off the price.`,
            },
            button(reader, paths.updatePlan(first.id), 'Choose a plan'),
            { kind: 'text' as const, text: 'After that, everything is kept and you can reactivate at any time:' },
            ...reactivateButtons(reader, listings),
          ]
        : [
            { kind: 'text' as const, text: `After that, everything is kept. ${closedNote}` },
            button(reader, paths.ownListings, 'See my listings'),
          ]),
    ],
  };
}

export const listingsEndedEmail = (reader: Reader, listings: readonly Ended[]): Mail => ({
  to: reader.to,
  subject: `${several(listings)} on ${site.name} ${listings.length === 1 ? 'has' : 'have'} ended`,
  preview: hasOpen(listings) ? 'Everything is kept, and you can reactivate at any time.' : 'Everything is kept.',
  greeting: formatGreeting(reader.name),
  blocks: [
    {
      kind: 'text',
      text: `The plan has ended, so people can no longer find you there. The text, photos and reviews are kept${hasOpen(listings) ? ', and you can reactivate at any time.' : `. ${closedNote}`}`,
    },
    ...(hasOpen(listings) ? reactivateButtons(reader, listings) : [button(reader, paths.ownListings, 'See my listings')]),
  ],
});

/** Each button opens My Listings, where one tap confirms: scanners of emails follow links too. */
export function availabilityEndsEmail(
  reader: Reader,
  listings: readonly [Named & EndingAvailability, ...(Named & EndingAvailability)[]],
): Mail {
  const [first, ...others] = listings;
  const facts = listings.map(({ title, availability, hasEnded }) => ({
    label: title,
    value: `${formatAvailability(availability)}${hasEnded ? ', which is over' : ', which ends tonight'}`,
  }));
  return {
    to: reader.to,
    onlyIf: { check: 'week_ahead', key: getWeekKey(first) },
    subject: `Do you have time in the week of ${formatDate(first.nextWeek, 'UTC')}?`,
    preview: `${formatAvailability(first.availability)} ${first.hasEnded ? 'is over' : 'ends tonight'} on “${first.title}”.`,
    greeting: formatGreeting(reader.name),
    blocks: [
      {
        kind: 'text',
        text: `What ${others.length === 0 ? 'your listing says' : 'your listings say'} about when you have time ends by itself. Say it again, and customers who search for a business with time find you.`,
      },
      { kind: 'facts', rows: facts },
      ...listings.map(({ id, title, nextWeek }) =>
        button(reader, `${paths.ownListings}${getAvailabilityQuery(id, nextWeek)}`, `Say when you have time for “${title}”`),
      ),
      { kind: 'note', text: 'The link opens My Listings. Nothing changes until you confirm there.' },
    ],
    reason: 'You get this email once each time you say when you have time.',
  };
}

/** The plan has ended because its payment is refunded. */
export const planReturnedEmail = (
  reader: Reader,
  { planName, listings, reason }: { planName: string; listings: readonly Ended[]; reason: string },
): Mail => ({
  to: reader.to,
  subject: `Your ${planName} plan on ${site.name} has ended and its payment is being refunded`,
  preview: reason,
  greeting: formatGreeting(reader.name),
  blocks: [
    { kind: 'text', text: `Your payment for the ${planName} plan is being refunded in full, so the plan has ended. The reason: ${reason}` },
    ...(listings.length > 0
      ? [
          {
            kind: 'text' as const,
            text: `${several(listings)} ${listings.length === 1 ? 'is' : 'are'} no longer shown, but ${listings.length === 1 ? 'is kept as it is' : 'are kept as they are'}. ${hasOpen(listings) ? `With a new plan ${listings.length === 1 ? 'it is' : 'they are'} back straight away.` : closedNote}`,
          },
        ]
      : []),
    ...(hasOpen(listings) ? reactivateButtons(reader, listings) : [button(reader, paths.ownListings, 'See my listings')]),
  ],
});

/** The payment for a renewal is refunded before the renewed period began. */
export const renewalReturnedEmail = (
  reader: Reader,
  { planName, reason, endsOn }: { planName: string; reason: string; endsOn: string },
): Mail => ({
  to: reader.to,
  subject: `The renewal of your ${planName} plan on ${site.name} has ended and its payment is being refunded`,
  preview: reason,
  greeting: formatGreeting(reader.name),
  blocks: [
    {
      kind: 'text',
      text: `Your payment for renewing the ${planName} plan is being refunded in full, so it does not renew any more. The reason: ${reason}`,
    },
    { kind: 'text', text: `The plan and its listings run until ${endsOn}, as you paid for them.` },
    button(reader, paths.ownListings, 'See my listings'),
  ],
});
