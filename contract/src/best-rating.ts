/** So many reviews with the average of its category a listing is credited with, beside its own. */
export const bestCredit = 5;

/**
 * What the order "Best" goes by: the mean of a listing's stars and of the reviews that it is credited with. So a few reviews say little,
 * many say what they say. `counts` are the reviews with 1, 2, 3, 4 and 5 stars, `mean` is the average of its category.
 */
export function bestScore(counts: readonly number[], mean: number): number {
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  const stars = counts.reduce((sum, count, index) => sum + count * (index + 1), 0);
  return (bestCredit * mean + stars) / (bestCredit + reviews);
}
