import type { FoundReview } from '@handwise/contract/admin/search';
import { paths } from '@handwise/contract/paths';
import { removalNames } from '@handwise/contract/reviews/words';
import { Link } from 'react-router';
import { Button } from '../../../../ui/forms/button.tsx';
import styles from '../admin.module.css';
import { timeText } from '../time-text.ts';
import { TableHead } from './table-head.tsx';

type ReviewTableProps = { reviews: readonly FoundReview[]; onDecide: (review: FoundReview) => void };

export const ReviewTable = ({ reviews, onDecide }: ReviewTableProps) => (
  <table className={styles.table}>
    <TableHead columns={[{ number: 'Stars' }, 'Review', 'Author', 'Listing', 'State', 'Since', { hidden: 'Decide' }]} />
    <tbody>
      {reviews.map((review) => (
        <tr key={review._id}>
          <td data-number>{review.rating}</td>
          <th scope="row" className={styles.words}>
            {review.comment}
            {review.answer !== null && <p className="muted">Answer: {review.answer}</p>}
          </th>
          <td>
            <Link to={paths.adminUser(review.author._id)}>{review.author.name}</Link>
          </td>
          <td>
            <Link to={paths.listing(review.listing._id)}>{review.listing.serviceTitle}</Link>
            <br />
            <Link to={`?q=${encodeURIComponent(`#${review.listing.listingNumber}`)}`}>#{review.listing.listingNumber}</Link>
          </td>
          <td>
            <span className={styles.state} data-bad={review.removedBecause !== null || undefined}>
              {stateOf(review)}
            </span>
          </td>
          <td data-time>{timeText(review.createdAt)}</td>
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

const stateOf = ({ removedBecause }: FoundReview) =>
  removedBecause === null
    ? 'Published'
    : removedBecause === 'withdrawn'
      ? 'Withdrawn by its author'
      : `Removed: ${removalNames[removedBecause]}`;
