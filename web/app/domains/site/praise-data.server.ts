import { pageSize, type Listing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import type { ServerContext } from '../../lib/server-context.ts';

type Praise = { listingId: string; text: string; name: string; about: string };

const shown = 3;
// Characters: long enough to be meaningful, short enough to read in five seconds.
const length = { min: 30, max: 160 };

type Reviewed = Pick<Listing, '_id' | 'sellerId' | 'businessTitle' | 'district' | 'reviews'>;

/** Each business's newest five-star review with a text, of at most three businesses. */
export function choosePraise(listings: readonly Reviewed[]): Praise[] {
  const sellers = new Set<string>();
  const chosen: Praise[] = [];
  for (const { _id, sellerId, businessTitle, district, reviews } of listings) {
    if (sellers.has(sellerId)) continue;
    const praise = reviews.find(({ rating, comment }) => rating === 5 && comment.length >= length.min && comment.length <= length.max);
    if (!praise) continue;
    sellers.add(sellerId);
    chosen.push({
      listingId: _id,
      text: praise.comment,
      name: praise.buyerName || praise.username,
      about: `${businessTitle}, ${district}`,
    });
  }
  return chosen.slice(0, shown);
}

const candidates = 8;

/** A listing may end between the list and its details; any other failure is one of the page. */
function skipEnded(error: unknown): undefined {
  const { status } = error as { status?: number };
  if (status !== 404) throw error;
}

/** At most three five-star reviews, each of another business. */
export async function getPraiseData({ call, market }: ServerContext) {
  const { listings } = await call('GET /listing/all', { query: { ...(market && { country: market }), limit: String(pageSize) } });
  const reviewed = listings
    .filter((one) => one.reviewCount > 0)
    .toSorted((a, b) => b.averageRating - a.averageRating || b.reviewCount - a.reviewCount)
    .slice(0, candidates);
  const read = await Promise.all(reviewed.map((one) => call('GET /listing/:id', { params: { id: one._id } }).catch(skipEnded)));
  return choosePraise(read.filter((one) => one !== undefined)).map((one) => ({ ...one, to: paths.listing(one.listingId) }));
}
