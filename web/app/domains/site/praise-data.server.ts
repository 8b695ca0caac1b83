import { getListing, pageSize } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import { listListings } from '@handwise/contract/search/calls';
import type { ServerContext } from '../../lib/server-context.ts';
import { choosePraise } from './praise.ts';

const asked = 8;

/** What customers have written about businesses here: at most three reviews with five stars, each of another business. */
export async function praiseData({ call, market }: ServerContext) {
  const { listings } = await call(listListings, { query: { ...(market && { country: market }), limit: String(pageSize) } });
  const reviewed = listings
    .filter((one) => one.reviewCount > 0)
    .toSorted((a, b) => b.averageRating - a.averageRating || b.reviewCount - a.reviewCount)
    .slice(0, asked);
  // One that ended in this very moment has nothing to say.
  const read = await Promise.all(reviewed.map((one) => call(getListing, { params: { id: one._id } }).catch(() => undefined)));
  return choosePraise(read.filter((one) => one !== undefined)).map((one) => ({ ...one, to: paths.listing(one.listingId) }));
}
