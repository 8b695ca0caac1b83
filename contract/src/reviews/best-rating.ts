/** Every listing is credited with this many reviews at the average of its category. */
export const bestCredit = 5;

/** Stands in for the average of a category without reviews. */
export const meanWithoutReviews = 4;

/**
 * The sort key of "Best" and "Best rated": a Bayesian average of a listing's stars and its credited reviews, so that a few reviews weigh
 * little. `counts` are the reviews with 1, 2, 3, 4 and 5 stars; `mean` is the average of the category to one decimal. Rounded down to five
 * decimals, as the database does for `listings.rating_key`.
 */
export function bestScore(counts: readonly number[], mean: number): number {
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  const stars = counts.reduce((sum, count, index) => sum + count * (index + 1), 0);
  return Math.floor((bestCredit * Math.round(mean * 10) * 10_000 + stars * 100_000) / (bestCredit + reviews)) / 100_000;
}

/** The average of a category to one decimal. */
export const computeMean = ({ reviews, stars }: { reviews: number; stars: number }): number =>
  reviews === 0 ? meanWithoutReviews : Math.round((10 * stars) / reviews) / 10;
