import type { AlertFrequency } from '@handwise/contract/alerts/calls';
import { formatPrice } from '@handwise/contract/facts/prices';
import type { ListingCard } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import { locationLine } from '@handwise/contract/text';
import { formatGreeting, headerText, type Mail, type MailBlock } from '../../kit/mail/mail.ts';

type End = NonNullable<Mail['end']>;
/** `end` pauses all alerts of the email. */
type Reader = { to: string; name: string; appUrl: string; end: End };
/** `total` counts all new listings; `listings` are the newest ones. */
type AlertNews = { name: string; query: string; frequency: AlertFrequency; listings: readonly ListingCard[]; total: number; end: End };

/** Needs at least one alert; `total` counts distinct new listings. */
export function alertEmail(reader: Reader, news: readonly AlertNews[], total: number): Mail {
  const [first, ...others] = news;
  const title = first?.listings[0]?.serviceTitle;
  const counted = total === 1 ? '1 new listing' : `${total} new listings`;
  const besides = others.length === 0 ? '' : others.length === 1 ? ', and 1 more alert' : `, and ${others.length} more alerts`;
  const days = news.some(({ frequency }) => frequency === 'daily') ? 'on days' : 'on Mondays';
  const isOne = others.length === 0;
  return {
    to: reader.to,
    subject: `${counted}: ${headerText(first?.name ?? '', 60)}${besides}`,
    preview: title ? headerText(title, 100) : counted,
    greeting: formatGreeting(reader.name),
    blocks: isOne
      ? news.flatMap((one) => singleAlertBlocks(reader.appUrl, one))
      : news.flatMap((one) => alertSectionBlocks(reader.appUrl, one)),
    end: { ...reader.end, label: isOne ? 'Pause this alert' : 'Pause all of these alerts' },
    reason: `You get this email ${days} when something new matches ${isOne ? 'your alert' : 'your alerts'}.`,
  };
}

const seeAll = 'See all, newest first';

const singleAlertBlocks = (appUrl: string, one: AlertNews): MailBlock[] => [
  { kind: 'text', text: `New for your alert: ${one.name}` },
  ...listingBlocks(appUrl, one),
  { kind: 'button', label: seeAll, url: searchUrl(appUrl, one) },
];

/** Has its own links to all matches and to pause the alert. */
const alertSectionBlocks = (appUrl: string, one: AlertNews): MailBlock[] => [
  { kind: 'heading', text: one.name },
  ...listingBlocks(appUrl, one),
  {
    kind: 'links',
    rows: [
      { label: seeAll, url: searchUrl(appUrl, one), text: `Everything for: ${one.name}` },
      { label: 'Pause this alert', url: one.end.page, text: 'The others go on' },
    ],
  },
];

function listingBlocks(appUrl: string, { listings, total }: AlertNews): MailBlock[] {
  const rows = listings.map((listing) => ({
    label: listing.serviceTitle,
    url: appUrl + paths.listing(listing._id),
    text: listingDetails(listing),
  }));
  const more = total - listings.length;
  return [{ kind: 'links', rows }, ...(more > 0 ? [{ kind: 'text' as const, text: `And ${more} more.` }] : [])];
}

function searchUrl(appUrl: string, { query }: AlertNews): string {
  const search = new URLSearchParams(query);
  search.set('sort', 'newest');
  return `${appUrl}${paths.search}?${search.toString()}`;
}

function listingDetails(listing: ListingCard): string {
  const { businessTitle, serviceCategory, serviceSubCategory, location, priceGuide } = listing;
  const place = locationLine(location);
  return [businessTitle, serviceSubCategory ?? serviceCategory, place, priceGuide && formatPrice(priceGuide)].filter(Boolean).join(' · ');
}
