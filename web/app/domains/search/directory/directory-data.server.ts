import { findCategory } from '@handwise/contract/listings/categories';
import type { ListingCard } from '@handwise/contract/listings/calls';
import { markets } from '@handwise/contract/markets';
import { findRegion } from '@handwise/contract/places/regions';
import { maxPages } from '@handwise/contract/search/filters';
import { paths } from '@handwise/contract/paths';
import type { PlaceTotals, Town } from '@handwise/contract/search/places';
import { isTradeShown } from '@handwise/contract/site/open';
import type { ServerContext } from '../../../lib/server-context.ts';
import { getAlertSearch } from '../alerts/alert-search.ts';
import { getRequestedPage } from '../../../ui/page/page-links.tsx';
import { toCardView } from '../../listings/card-view.ts';
import { formatDistance } from '../find/distance-words.ts';

const regionsOfTile = 3;

const placeName = (market: ServerContext['market']) => (market ? markets[market].name : 'New Zealand and Australia');
const isFilled = (one: { listings: number }) => one.listings > 0;
const most = (a: { listings: number }, b: { listings: number }) => b.listings - a.listings;

/** All groups with their counts and the regions that offer them most. */
export async function getDirectoryData({ call, market }: ServerContext) {
  const country = market ?? undefined;
  const all = await call('GET /facts', { query: { country } });
  const shown = all.categories.filter(({ slug }) => isTradeShown(slug));
  const ofCategories = await Promise.all(shown.map(({ slug }) => call('GET /facts', { query: { country, category: slug } })));
  return {
    place: placeName(market),
    listings: all.listings,
    reviews: all.reviews,
    averageRating: all.averageRating,
    regions: all.regions.filter(isFilled).length,
    categories: shown.map((facts, index) => ({
      ...facts,
      mainCategory: findCategory(facts.slug)?.mainCategory ?? ('other' as const),
      regions: (ofCategories[index]?.regions ?? [])
        .filter(isFilled)
        .toSorted(most)
        .slice(0, regionsOfTile)
        .map(({ name, slug }) => ({ name, slug })),
    })),
  };
}
export type DirectoryData = Awaited<ReturnType<typeof getDirectoryData>>;

type Names = { category: string; region: string | undefined; town: string | undefined; page: string | null; sort: string | null };

/**
 * The listings of a group in the country, a region or a town, with the links around them. Null if there is no such page: an unknown name or
 * order, another country's region, or a page beyond the last.
 */
export async function getDirectoryListData({ call, market }: ServerContext, names: Names) {
  const category = findCategory(names.category);
  const region = names.region === undefined ? undefined : findRegion(names.region);
  const page = getRequestedPage(names.page);
  // Other spellings would be duplicates of the page under other URLs.
  if (category?.slug !== names.category || region?.slug !== names.region || page === null || page > maxPages) return null;
  if (region && market && region.country !== market) return null;
  if (names.sort !== null && names.sort !== 'best') return null;
  const sort = names.sort ?? undefined;
  const town = region && names.town !== undefined ? await findTown(call, category.slug, region.slug, names.town) : null;
  if (names.town !== undefined && !town) return null;

  // The list around a town has one order.
  const near = town?.near ?? null;
  if (near && sort) return null;

  const country = region?.country ?? market ?? undefined;
  const where = { category: category.slug, region: region?.slug, country };
  const [found, ofCategory, ofRegion, places] = await Promise.all([
    near
      ? call('GET /search', { query: { category: category.slug, near, page: String(page) } })
      : call('GET /listing/all', { query: { ...where, district: town?.district.slug, sort, page: String(page) } }),
    call('GET /facts', { query: { country, category: category.slug } }),
    call('GET /facts', { query: { country, region: region?.slug } }),
    town || !region ? null : call('GET /search/places', { query: { ...where, pins: 'none' } }),
  ]);
  if (found.totalPages !== null && page > Math.max(1, found.totalPages)) return null;
  const counts = ofCategory.categories.find((one) => one.slug === category.slug);
  return {
    category: { name: category.name, slug: category.slug, subCategories: category.subCategories.map((sub) => sub.name) },
    region: region ? { name: region.name, slug: region.slug, districts: region.districts.map((district) => district.name) } : null,
    town: town && { name: town.name, slug: town.slug, district: town.district, isNear: near !== null },
    alert: getAlertSearch({
      category: category.slug,
      ...(near ? { near } : { region: region?.slug, district: town?.district.slug }),
    }),
    place: [town?.name, region?.name ?? placeName(market)].filter(Boolean).join(', '),
    country: country ? markets[country].name : placeName(null),
    isBest: sort === 'best',
    isOrdered: !near,
    page,
    totalPages: found.totalPages,
    /** Null if the search took too long to count them; `notice` then says so. */
    totalListings: found.totalListings,
    totalIsExact: found.totalIsExact,
    notice: found.notice ?? null,
    averageRating: counts?.averageRating ?? 0,
    reviewCount: counts?.reviewCount ?? 0,
    cards: found.listings.map(placedCard),
    regions: ofCategory.regions
      .filter((one) => one.listings > 0 && one.slug !== region?.slug)
      .map(({ name, slug, country: code, listings }) => ({ name, slug, listings, country: markets[code].name })),
    categories: ofRegion.categories
      .filter((one) => isFilled(one) && one.slug !== category.slug)
      .map(({ name, slug, listings }) => ({ name, slug, listings })),
    nearby: (town?.nearby ?? []).map(({ name, distanceKm, ...one }) => ({
      name: `${name}, ${distanceKm}\u00A0km`,
      path: paths.servicesIn(category.slug, one.region, one.slug ?? undefined),
    })),
    towns: places ? getPlaces(places, category.slug) : [],
    map: near ? { category: category.slug, near } : { ...where, ...(town && { district: town.district.slug }) },
  };
}
export type DirectoryListData = NonNullable<Awaited<ReturnType<typeof getDirectoryListData>>>;

type FoundCard = ListingCard & { distanceKm?: number | undefined };

/** A card with its distance, if known. */
function placedCard({ distanceKm, ...listing }: FoundCard) {
  const card = toCardView(listing);
  return { ...card, ...(distanceKm !== undefined && { location: `${formatDistance(distanceKm)} · ${card.location}` }) };
}

/** Null if the region has no such town. */
async function findTown(call: ServerContext['call'], category: string, region: string, town: string): Promise<Town | null> {
  try {
    return await call('GET /search/town', { query: { category, region, town } });
  } catch (error) {
    if ((error as { status?: number }).status === 400) return null;
    throw error;
  }
}

/** The towns and districts of a list that have pages; a region's only district of the same name has none. */
const getPlaces = ({ places }: PlaceTotals, category: string) =>
  places
    .filter((place) => (place.town ?? place.district) !== place.region)
    .map(({ name, total, region, district, town }) => ({
      name,
      slug: paths.servicesIn(category, region, town ?? district ?? undefined),
      ...(town === null && { listings: total }),
    }));
