import { findCategory, categories } from '@handwise/contract/categories';
import { listListings } from '@handwise/contract/search';
import { markets } from '@handwise/contract/markets';
import { findRegion } from '@handwise/contract/places';
import { getFacts } from '@handwise/contract/site';
import type { ServerContext } from '../../../lib/server-context.ts';
import { askedPage } from '../../../ui/page/pagination.ts';
import { cardView } from '../../listings/card-view.ts';

const regionsOfTile = 3;

const placeName = (market: ServerContext['market']) => (market ? markets[market].name : 'New Zealand and Australia');
const isFilled = (one: { listings: number }) => one.listings > 0;
const most = (a: { listings: number }, b: { listings: number }) => b.listings - a.listings;

/** All groups with their figures, and where each is offered most. */
export async function directoryData({ call, market }: ServerContext) {
  const country = market ?? undefined;
  const all = await call(getFacts, { query: { country } });
  const ofCategories = await Promise.all(all.categories.map(({ slug }) => call(getFacts, { query: { country, category: slug } })));
  return {
    place: placeName(market),
    listings: all.listings,
    reviews: all.reviews,
    averageRating: all.averageRating,
    regions: all.regions.filter(isFilled).length,
    categories: all.categories.map((facts, index) => ({
      ...facts,
      mainCategory: categories[index]?.mainCategory ?? ('other' as const),
      regions: (ofCategories[index]?.regions ?? [])
        .filter(isFilled)
        .toSorted(most)
        .slice(0, regionsOfTile)
        .map(({ name, slug }) => ({ name, slug })),
    })),
  };
}
export type DirectoryData = Awaited<ReturnType<typeof directoryData>>;

/**
 * The listings of a group, or of a group in a region, with the links around them. Null where there is no such page here:
 * an unknown name or order, another country's region, a page behind the end.
 */
export async function directoryListData(
  { call, market }: ServerContext,
  names: { category: string; region: string | undefined; page: string | null; sort: string | null },
) {
  const category = findCategory(names.category);
  const region = names.region === undefined ? undefined : findRegion(names.region);
  const page = askedPage(names.page);
  // Other spellings would be the same page under a second address.
  if (category?.slug !== names.category || region?.slug !== names.region || page === null) return null;
  if (region && market && region.country !== market) return null;
  if (names.sort !== null && names.sort !== 'best') return null;
  const sort = names.sort ?? undefined;

  const country = region?.country ?? market ?? undefined;
  const [found, ofCategory, ofRegion] = await Promise.all([
    call(listListings, { query: { category: category.slug, region: region?.slug, country, sort, page: String(page) } }),
    call(getFacts, { query: { country, category: category.slug } }),
    call(getFacts, { query: { country, region: region?.slug } }),
  ]);
  if (page > Math.max(1, found.totalPages)) return null;
  const figures = ofCategory.categories.find((one) => one.slug === category.slug);
  return {
    category: { name: category.name, slug: category.slug, subCategories: category.subCategories.map((sub) => sub.name) },
    region: region ? { name: region.name, slug: region.slug, districts: region.districts.map((district) => district.name) } : null,
    place: region?.name ?? placeName(market),
    country: country ? markets[country].name : placeName(null),
    isBest: sort === 'best',
    page,
    totalPages: found.totalPages,
    totalListings: found.totalListings,
    averageRating: figures?.averageRating ?? 0,
    reviewCount: figures?.reviewCount ?? 0,
    cards: found.listings.map(cardView),
    regions: ofCategory.regions
      .filter((one) => one.listings > 0 && one.slug !== region?.slug)
      .map(({ name, slug, country: code, listings }) => ({ name, slug, listings, country: markets[code].name })),
    categories: ofRegion.categories
      .filter((one) => isFilled(one) && one.slug !== category.slug)
      .map(({ name, slug, listings }) => ({ name, slug, listings })),
  };
}
export type DirectoryListData = NonNullable<Awaited<ReturnType<typeof directoryListData>>>;
