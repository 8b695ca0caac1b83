import { adminPaths } from '@handwise/contract/admin/paths';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-reviews';
import { useQuery } from '@tanstack/react-query';
import { startTransition, useState } from 'react';
import { useSearchParams, Link } from 'react-router';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { foundReviews } from '../../domains/admin/desk/admin-queries.ts';
import { aboutReview, DecideDialog, type DecidedAbout } from '../../domains/admin/desk/decision-form.tsx';
import {
  findChosenOption,
  QueryFilterLinks,
  ResultList,
  Loaded,
  SearchBar,
  formatTime,
  TableHead,
} from '../../domains/admin/desk/list-parts.tsx';
import type { FoundReview } from '@handwise/contract/admin/search';
import { removalNames } from '@handwise/contract/reviews/words';
import { Button } from '../../ui/forms/button.tsx';
import { PictureLinks } from '../../ui/pictures/picture-links.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Reviews', description: 'Find a review.', path: adminPaths.reviews, noIndex: true });

export default function AdminReviewsPage() {
  return (
    <>
      <h1>Reviews</h1>
      <ReviewSearch />
    </>
  );
}

const states = [
  { value: '', name: 'All' },
  { value: 'published', name: 'Published' },
  { value: 'answered', name: 'Answered' },
  { value: 'removed', name: 'Removed' },
  { value: 'withdrawn', name: 'Withdrawn by its author' },
] as const;
const stars = [
  { value: '', name: 'Any' },
  { value: '1', name: '1 star' },
  { value: '2', name: '2 stars' },
  { value: '3', name: '3 stars' },
  { value: '4', name: '4 stars' },
  { value: '5', name: '5 stars' },
] as const;

/** Reviews in any state, with their moderation actions. */
function ReviewSearch() {
  const [search] = useSearchParams();
  const [about, setAbout] = useState<DecidedAbout | null>(null);
  const status = findChosenOption(states, search.get('status'));
  const rating = findChosenOption(stars, search.get('stars'));
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(
    foundReviews({
      q: search.get('q') ?? '',
      status: status ?? 'all',
      ...(rating && { stars: rating }),
      page: String(page),
    }),
  );
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a review" hint="Words from it, its id, the author’s @name or email, or the listing’s #number or id" />
      <QueryFilterLinks label="State" name="status" options={states} />
      <QueryFilterLinks label="Stars" name="stars" options={stars} />
      <Loaded query={query}>
        {(data) => (
          <ResultList one="review" page={page} totalPages={data.totalPages} total={data.total}>
            <ReviewTable reviews={data.reviews} onDecide={(review) => startTransition(() => setAbout(aboutReview(review)))} />
          </ResultList>
        )}
      </Loaded>
      <DecideDialog about={about} onClose={() => setAbout(null)} />
    </div>
  );
}

type ReviewTableProps = { reviews: readonly FoundReview[]; onDecide: (review: FoundReview) => void };

const ReviewTable = ({ reviews, onDecide }: ReviewTableProps) => (
  <table className={styles.table}>
    <TableHead columns={[{ number: 'Stars' }, 'Review', 'Author', 'Listing', 'State', 'Since', { hidden: 'Decide' }]} />
    <tbody>
      {reviews.map((review) => (
        <tr key={review._id}>
          <td data-number>{review.rating}</td>
          <th scope="row" className={styles.words}>
            {review.comment}
            <PictureLinks pictures={review.pictures} />
            {review.answer !== null && <p className="muted">Answer: {review.answer}</p>}
          </th>
          <td>
            <Link to={adminPaths.user(review.author._id)}>{review.author.name}</Link>
          </td>
          <td>
            <Link to={paths.listing(review.listing._id)}>{review.listing.serviceTitle}</Link>
            <br />
            <Link to={`?q=${encodeURIComponent(`#${review.listing.listingNumber}`)}`}>#{review.listing.listingNumber}</Link>
          </td>
          <td>
            <span className={styles.state} data-bad={review.removedBecause !== null || undefined}>
              {getState(review)}
            </span>
          </td>
          <td data-time>{formatTime(review.createdAt)}</td>
          <td>
            {review.removedBecause !== 'withdrawn' && (
              <Button kind="secondary" size="sm" onClick={() => onDecide(review)}>
                Decide
                <span className="visually-hidden">
                  {' '}
                  about the review of {review.listing.serviceTitle} by {review.author.name}
                </span>
              </Button>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const getState = ({ removedBecause }: FoundReview) =>
  removedBecause === null
    ? 'Published'
    : removedBecause === 'withdrawn'
      ? 'Withdrawn by its author'
      : `Removed: ${removalNames[removedBecause]}`;
