import { paths } from '@handwise/contract/paths';
import { ReviewSearch } from '../../domains/admin/desk/search/review-search.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-reviews';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Reviews', description: 'Find a review.', path: paths.adminReviews, noIndex: true });

export default function AdminReviewsPage() {
  return (
    <>
      <h1>Reviews</h1>
      <ReviewSearch />
    </>
  );
}
