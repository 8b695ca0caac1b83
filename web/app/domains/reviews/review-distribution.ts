import type { ReviewsView } from './review-view.ts';

/** The share of each number of stars, five first, in whole percent of all reviews. */
export const distribution = ({ counts, total }: Pick<ReviewsView, 'counts' | 'total'>) =>
  [5, 4, 3, 2, 1].map((stars) => {
    const reviews = counts[stars - 1] ?? 0;
    return { stars, reviews, percent: total === 0 ? 0 : Math.round((100 * reviews) / total) };
  });
