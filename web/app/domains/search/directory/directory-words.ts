import { count, counted, totalOfListings } from '@handwise/contract/numbers';
import { defaultRadiusKm } from '@handwise/contract/search/filters';
import { formatRating } from '../../../lib/format.ts';
import type { DirectoryData, DirectoryListData } from './directory-data.server.ts';

type Rated = { averageRating: number; reviewCount: number };

const rated = ({ averageRating, reviewCount }: Rated) =>
  reviewCount === 0 ? '' : `, rated ${formatRating(averageRating)} out of 5 on average in ${counted(reviewCount, 'review')}`;

/** One sentence with the true counts of a list. Ratings are of the whole country, and described so. */
export const describeDirectory = ({ listings, reviews, averageRating, regions, place }: DirectoryData) =>
  listings === 0
    ? `There are no listings in ${place} yet.`
    : `${counted(listings, 'listing')} from businesses in ${counted(regions, 'region')} of ${place}${rated({ averageRating, reviewCount: reviews })}.`;

/** "Plumbing in Otago"; "near" a town, around which listings are found. */
export const getDirectoryTitle = ({ category, place, town }: Pick<DirectoryListData, 'category' | 'place' | 'town'>) =>
  `${category.name} ${town?.isNear ? 'near' : 'in'} ${place}`;

/** One sentence with the true counts of a list. Ratings are of the whole country, and described so. */
export function describeDirectoryList({
  category,
  region,
  town,
  place,
  country,
  totalListings,
  totalIsExact,
  averageRating,
  reviewCount,
}: DirectoryListData): string {
  const name = category.name.toLowerCase();
  if (totalListings === 0) return `There is no listing for ${name} ${town?.isNear ? 'near' : 'in'} ${place} yet.`;
  const total = totalOfListings(totalListings, totalIsExact);
  const listings = town?.isNear
    ? `${total} for ${name} based within ${defaultRadiusKm} km of ${place} or travelling there`
    : `${total} for ${name} in ${place}`;
  if (!region) return `${listings}${rated({ averageRating, reviewCount })}.`;
  if (reviewCount === 0) return `${listings}.`;
  return `${listings}. Across ${country}, ${name} is rated ${formatRating(averageRating)} out of 5 on average in ${counted(reviewCount, 'review')}.`;
}

/** The URL of a list's page, in the default order or the best first. */
export function listAddress(path: string, { page, isBest }: { page: number; isBest: boolean }) {
  const parameters = [...(page > 1 ? [`page=${page}`] : []), ...(isBest ? ['sort=best'] : [])];
  return parameters.length > 0 ? `${path}?${parameters.join('&')}` : path;
}

/** "page 2 of 14" for titles, empty on the first page. */
export const getPageName = ({ page, totalPages }: Pick<DirectoryListData, 'page' | 'totalPages'>) =>
  page === 1 ? '' : `page ${count(page)}${totalPages === null ? '' : ` of ${count(totalPages)}`}`;
