import { type ReviewOrder, reviewPageSize } from '@handwise/contract/reviews/words';
import type { ReviewStub } from '@handwise/contract/reviews/shown';
import type { ReviewsView, ReviewView } from './review-view.ts';

/** Which reviews one wants to see, and in which order. */
export type Chosen = { order: ReviewOrder; stars: number | null };

/** The reviews that are shown: so many pages of those that are chosen, one under the other. */
export type Shown = Chosen & { total: number; pages: number; list: readonly ReviewView[]; removed: readonly ReviewStub[] };

/** What comes with the page. */
export const firstShown = ({ total, newest, removed }: ReviewsView): Shown => ({
  order: 'newest',
  stars: null,
  total,
  pages: 1,
  list: newest,
  removed,
});

export const hasMore = ({ total, pages }: Pick<Shown, 'total' | 'pages'>) => pages * reviewPageSize < total;

/** With the next page under what is shown, or the first page of another choice in its place. */
export function withPage(
  now: Shown,
  chosen: Chosen,
  page: number,
  read: { total: number; list: readonly ReviewView[]; removed: readonly ReviewStub[] },
): Shown {
  if (page === 1) return { ...chosen, ...read, pages: 1 };
  // Where a review came in meanwhile, the last ones of the page before stand on this one again.
  const known = new Set(now.list.map(({ id }) => id));
  return { ...now, total: read.total, pages: page, list: [...now.list, ...read.list.filter(({ id }) => !known.has(id))] };
}
