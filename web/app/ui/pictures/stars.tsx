import { counted } from '@handwise/contract/numbers';
import { site } from '@handwise/contract/site/site';
import { formatRating } from '../../lib/format.ts';
import styles from './stars.module.css';

const star = 'M10 1.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8L10 14.9l-5.2 2.7 1-5.8L1.6 7.7l5.8-.8z';

/** Five stars, filled to a tenth, announced as one sentence. */
export function Stars({ value, size = 18, label }: { value: number; size?: number; label?: string }) {
  const shown = Math.round(Math.min(5, Math.max(0, value)) * 10) / 10;
  return (
    <span className={styles.stars} role="img" aria-label={label ?? `${formatRating(shown)} out of 5 stars`}>
      {[0, 1, 2, 3, 4].map((index) => {
        const share = Math.min(1, Math.max(0, shown - index));
        return (
          <svg key={index} viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" focusable="false">
            <path className={styles.empty} d={star} />
            {share > 0 && (
              <path
                className={styles.full}
                d={star}
                style={share < 1 ? { clipPath: `inset(0 ${Math.round(100 - share * 100)}% 0 0)` } : undefined}
              />
            )}
          </svg>
        );
      })}
    </span>
  );
}

/** Five stars, the average and the count: "★★★★☆ 4.3 (508 reviews)"; without reviews a text. */
export const StarsLine = ({ average, reviews }: { average: number; reviews: number }) =>
  reviews > 0 ? (
    <span className={styles.line}>
      <Stars value={average} size={17} />
      <strong className="tabular">{formatRating(average)}</strong>
      <span className="muted">({counted(reviews, 'review')})</span>
    </span>
  ) : (
    <span className={`${styles.line} muted`}>No reviews yet</span>
  );

export const getNoReviewsText = () => `New on ${site.name}`;

/**
 * One star, the average and the count: "★ 4.8 (132 reviews)". A listing without reviews shows as new, without a star that looks like a
 * rating.
 */
export const RatingLine = ({ average, reviews }: { average: number; reviews: number }) =>
  reviews > 0 ? (
    <span className={styles.line}>
      <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false">
        <path className={styles.full} d={star} />
      </svg>
      <span className="visually-hidden">Rated </span>
      <strong className="tabular">{formatRating(average)}</strong>
      <span className="muted">({counted(reviews, 'review')})</span>
    </span>
  ) : (
    <span className={`${styles.line} muted`}>{getNoReviewsText()}</span>
  );
