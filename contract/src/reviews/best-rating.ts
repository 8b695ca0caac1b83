/** So many reviews with the average of its category a listing is credited with, beside its own. */
export const bestCredit = 5;

/** The average of a category that has no reviews yet. */
export const meanWithoutReviews = 4;

/**
 * What the orders "Best" and "Best rated" go by: the mean of a listing's stars and of the reviews that it is credited with. So a few reviews
 * say little, many say what they say. `counts` are the reviews with 1, 2, 3, 4 and 5 stars, `mean` is the average of its category to one
 * decimal. Five decimals count; the database keeps the same in `listings.rating_key`.
 */
export function bestScore(counts: readonly number[], mean: number): number {
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  const stars = counts.reduce((sum, count, index) => sum + count * (index + 1), 0);
  return Math.floor((bestCredit * Math.round(mean * 10) * 10_000 + stars * 100_000) / (bestCredit + reviews)) / 100_000;
}

/** The average of a category as scores know it. */
export const meanOf = ({ reviews, stars }: { reviews: number; stars: number }): number =>
  reviews === 0 ? meanWithoutReviews : Math.round((10 * stars) / reviews) / 10;
