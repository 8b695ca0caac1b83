import { paths } from '@handwise/contract/paths';
import type { ListingView } from './listing-view.ts';

/** The business behind a listing, for search engines. A rating is stated only where people gave one. */
export const localBusiness = (listing: ListingView, origin: string) => ({
  '@type': 'LocalBusiness',
  '@id': origin + paths.listing(listing.id),
  name: listing.business.name,
  description: listing.description.join('\n'),
  url: origin + paths.listing(listing.id),
  ...(listing.pictures.length > 0 && { image: listing.pictures.slice(0, 3).map((picture) => URL.parse(picture.src, origin)?.href) }),
  ...(listing.business.website && { sameAs: listing.business.website.href }),
  address: {
    '@type': 'PostalAddress',
    addressLocality: listing.district,
    addressRegion: listing.region.name,
    addressCountry: listing.country,
  },
  areaServed: listing.region.name,
  makesOffer: { '@type': 'Offer', itemOffered: { '@type': 'Service', name: listing.title, serviceType: listing.category.name } },
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
