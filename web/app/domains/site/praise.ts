import type { Listing } from '@handwise/contract/listings/calls';

export type Praise = { listingId: string; text: string; name: string; about: string };

const shown = 3;
// Long enough to say something, short enough to be read in five seconds.
const length = { min: 30, max: 160 };

type Reviewed = Pick<Listing, '_id' | 'sellerId' | 'businessTitle' | 'district' | 'reviews'>;

/** Of each business the newest review with five stars that says something, of three businesses at most. */
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
