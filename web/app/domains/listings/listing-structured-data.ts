import { parseUrl } from '@handwise/contract/urls';
import type { Hours, Weekday } from '@handwise/contract/facts/hours';
import { paths } from '@handwise/contract/paths';
import type { ListingView } from './listing-view.ts';

const dayNames = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const satisfies Record<Weekday, string>;

// Hours until midnight end at 23:59, as search engines expect.
const openingHours = (hours: Hours) =>
  (Object.keys(dayNames) as Weekday[]).flatMap((day) => {
    const open = hours[day];
    if (!open) return [];
    const [opens, closes] = open;
    return [{ '@type': 'OpeningHoursSpecification', dayOfWeek: dayNames[day], opens, closes: closes === '24:00' ? '23:59' : closes }];
  });

// The sandbox's checks are left out.
const checked = ({ facts }: ListingView) => facts.verified.filter(({ sandbox }) => !sandbox);

// Its own area; else its region.
function areaServed({ served, region, country }: ListingView) {
  if (!served) return region.name;
  if ('districts' in served) return served.districts.map((name) => ({ '@type': 'AdministrativeArea', name }));
  const address = { '@type': 'PostalAddress', addressLocality: served.around, addressRegion: region.name, addressCountry: country };
  return { '@type': 'GeoCircle', geoMidpoint: { '@type': 'GeoCoordinates', address }, geoRadius: served.radiusKm * 1000 };
}

/**
 * The business behind a listing, for search engines. A rating is included only if there are reviews, a number only if its register has it.
 */
export const createLocalBusinessData = (listing: ListingView, origin: string) => ({
  '@type': 'LocalBusiness',
  '@id': origin + paths.listing(listing.id),
  name: listing.business.name,
  description: listing.description.join('\n'),
  url: origin + paths.listing(listing.id),
  ...(listing.pictures.length > 0 && { image: listing.pictures.slice(0, 3).map((picture) => parseUrl(picture.src, origin)?.href) }),
  ...(listing.business.website && { sameAs: listing.business.website.href }),
  address: {
    '@type': 'PostalAddress',
    addressLocality: listing.district,
    addressRegion: listing.region.name,
    addressCountry: listing.country,
  },
  areaServed: areaServed(listing),
  makesOffer: { '@type': 'Offer', itemOffered: { '@type': 'Service', name: listing.title, serviceType: listing.category.name } },
  ...(listing.facts.price !== null && { priceRange: listing.facts.price }),
  ...(listing.facts.inTradeSince !== null && { foundingDate: String(listing.facts.inTradeSince) }),
  ...(listing.openings && { openingHoursSpecification: openingHours(listing.openings) }),
  ...(checked(listing).length > 0 && {
    identifier: checked(listing).map((one) => ({ '@type': 'PropertyValue', propertyID: one.kind, value: one.number })),
  }),
  ...(listing.reviewCount > 0 && {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: listing.averageRating.toFixed(1),
      reviewCount: listing.reviewCount,
      bestRating: 5,
      worstRating: 1,
    },
  }),
});
