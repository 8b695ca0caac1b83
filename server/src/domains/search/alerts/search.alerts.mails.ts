import { paths } from '@handwise/contract/paths';
import type { AlertFrequency } from '@handwise/contract/search-alerts';
import type { ListingCard } from '@handwise/contract/listings';
import { priceText } from '@handwise/contract/evidence-words';
import { greetingOf, headerText } from '../../../kit/mail/mail-words.ts';
import type { Mail } from '../../../kit/mail/mail.ts';

type Reader = { to: string; name: string; appUrl: string; end: NonNullable<Mail['end']> };
type Alert = { name: string; query: string; frequency: AlertFrequency };

/** What is new to an alert: `total` listings, the newest of them shown. */
export function alertMail(reader: Reader, alert: Alert, listings: readonly ListingCard[], total: number): Mail {
  const [first] = listings;
  const counted = total === 1 ? '1 new listing' : `${total} new listings`;
  const more = total - listings.length;
  const search = new URLSearchParams(alert.query);
  search.set('sort', 'newest');
  return {
    to: reader.to,
    subject: `${counted}: ${headerText(alert.name, 60)}`,
    preview: first ? headerText(first.serviceTitle, 100) : counted,
    greeting: greetingOf(reader.name),
    blocks: [
      { kind: 'text', text: `This is new for your alert: ${alert.name}` },
      {
        kind: 'links',
        rows: listings.map((listing) => ({
          label: listing.serviceTitle,
          url: reader.appUrl + paths.listing(listing._id),
          text: detailsOf(listing),
        })),
      },
      ...(more > 0 ? [{ kind: 'text' as const, text: `And ${more} more.` }] : []),
      { kind: 'button', label: 'See all, the newest first', url: `${reader.appUrl}${paths.search}?${search.toString()}` },
    ],
    end: { ...reader.end, label: 'Pause this alert' },
    reason: `You get this email ${alert.frequency === 'daily' ? 'on days' : 'on Mondays'} when something new matches the search that you keep.`,
  };
}

function detailsOf(listing: ListingCard): string {
  const { businessTitle, serviceCategory, serviceSubCategory, district, region, priceGuide } = listing;
  const place = district === region ? district : `${district}, ${region}`;
  return [businessTitle, serviceSubCategory ?? serviceCategory, place, priceGuide && priceText(priceGuide)].filter(Boolean).join(' · ');
}
