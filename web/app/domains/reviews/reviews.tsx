import { count, counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatRating } from '../../lib/format.ts';
import { getNoReviewsText, Stars } from '../../ui/pictures/stars.tsx';
import type { ReviewsView } from './review-view.ts';
import styles from './reviews.module.css';

/** The share of each number of stars, five first, in whole percent of all reviews. */
export const getDistribution = ({ counts, total }: Pick<ReviewsView, 'counts' | 'total'>) =>
  [5, 4, 3, 2, 1].map((stars) => {
    const reviews = counts[stars - 1] ?? 0;
    return { stars, reviews, percent: total === 0 ? 0 : Math.round((100 * reviews) / total) };
  });

type ReviewsProps = {
  reviews: ReviewsView;
  /** The invitation to write one, for this reader. */
  action: ReactNode;
  /** Replaces the list without reviews. */
  empty: ReactNode;
  /** The reviews themselves. */
  list: ReactNode;
};

/** Big average, bars, then the reviews themselves. */
export const Reviews = ({ reviews, action, empty, list }: ReviewsProps) => (
  <section className={styles.section} id="reviews" aria-labelledby="reviews-heading">
    <h2 id="reviews-heading">Reviews &amp; Ratings</h2>
    <div className={`card ${styles.summary}`}>
      <div className={styles.average}>
        {reviews.total > 0 ? (
          <>
            <p className={styles.big}>
              <span className="visually-hidden">Average rating: </span>
              {formatRating(reviews.average)}
            </p>
            <Stars value={reviews.average} size={22} />
            <p className="muted">{counted(reviews.total, 'review')}</p>
          </>
        ) : (
          <p className={styles.none}>{getNoReviewsText()}</p>
        )}
        <Link to={paths.reviewsPolicy} className={styles.policy}>
          How reviews work
        </Link>
      </div>
      {reviews.total > 0 && <Bars reviews={reviews} />}
      <div className={styles.action}>{action}</div>
    </div>
    {reviews.total === 0 && <p className={styles.empty}>{empty}</p>}
    {list}
  </section>
);

/** How many reviews gave each number of stars. */
const Bars = ({ reviews }: Pick<ReviewsProps, 'reviews'>) => (
  <ul className={styles.bars}>
    {getDistribution(reviews).map((row) => (
      <li key={row.stars} className={styles.bar}>
        <span aria-hidden="true">{row.stars} ★</span>
        <span className={styles.track} aria-hidden="true">
          <span className={styles.fill} style={{ width: `${row.percent}%` }} />
        </span>
        <span className={styles.number} aria-hidden="true">
          {count(row.reviews)}
        </span>
        <span className="visually-hidden">
          {counted(row.stars, 'star')}: {counted(row.reviews, 'review')}
        </span>
      </li>
    ))}
  </ul>
);
