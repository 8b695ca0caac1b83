import { type ListingCard, pageSize } from '@handwise/contract/listings/calls';
import { isTradeShown } from '@handwise/contract/site/open';
import { locationLine } from '@handwise/contract/text';
import type { CostTile } from '../costs/price-range.tsx';
import type { ServerContext } from '../../lib/server-context.ts';

const cardsOfTheFan = 3;

/** The most reviewed of the top listings, three of different categories. */
function chooseForFan(listings: readonly ListingCard[]): ListingCard[] {
  const seen = new Set<string>();
  return listings
    .toSorted((a, b) => Number(b.cover !== null) - Number(a.cover !== null) || b.reviewCount - a.reviewCount)
    .filter(({ serviceCategory }) => !seen.has(serviceCategory) && seen.add(serviceCategory))
    .slice(0, cardsOfTheFan);
}

/** The front page's data of the market: facts, and the top listings. */
export async function getLandingData({ call, market }: ServerContext, loadingCosts: Promise<readonly CostTile[]>) {
  const country = market ? { country: market } : {};
  const [facts, { listings }, costs] = await Promise.all([
    call('GET /facts', { query: country }),
    call('GET /listing/all', { query: { ...country, limit: String(pageSize) } }),
    loadingCosts,
  ]);
  const slugs = new Map(facts.categories.map((one) => [one.name, one.slug]));
  return {
    costs,
    isOneMarket: market !== null,
    facts: {
      listings: facts.listings,
      reviews: facts.reviews,
      averageRating: facts.averageRating,
      leadsLastMonth: facts.leadsLastMonth,
      categories: facts.categories.filter(({ slug }) => isTradeShown(slug)),
    },
    // Only the fields of a fan card, because they are sent twice: as HTML and for the browser's first render.
    featured: chooseForFan(listings).map((one) => ({
      id: one._id,
      title: one.serviceTitle,
      business: one.businessTitle,
      place: locationLine(one.location),
      categorySlug: slugs.get(one.serviceCategory) ?? '',
      averageRating: one.averageRating,
      reviewCount: one.reviewCount,
      cover: one.cover,
    })),
  };
}
export type LandingData = Awaited<ReturnType<typeof getLandingData>>;
